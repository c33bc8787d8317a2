// What Codex asks, of its own fields.
import { type Fields, fieldsOf, listOf, textOf, wordsOf } from "../../lib/fields";

export interface HostRule {
  host: string;
  action: "allow" | "deny";
}

export interface CommandRequest {
  command: string | undefined;
  cwd: string | undefined;
  reason: string | undefined;
  /** It is input for a command that runs already. */
  isInput: boolean;
  /** The words that a rule would be about. */
  rule: readonly string[];
  hostRules: readonly HostRule[];
  host: { name: string; protocol: string | undefined } | undefined;
  permissions: Fields;
}

export function commandRequest(request: Fields): CommandRequest {
  const network = fieldsOf(request["networkApprovalContext"]);
  const host = textOf(network["host"]);
  return {
    // Older versions of Codex give the words of the command.
    command: textOf(request["command"]) ?? textOf(wordsOf(request["command"]).join(" ")),
    cwd: textOf(request["cwd"]),
    reason: textOf(request["reason"]),
    isInput: request["kind"] === "writeStdin",
    rule: wordsOf(request["proposedExecpolicyAmendment"]),
    hostRules: listOf(request["proposedNetworkPolicyAmendments"]).flatMap(hostRule),
    host: host ? { name: host, protocol: textOf(network["protocol"]) } : undefined,
    permissions: fieldsOf(request["additionalPermissions"]),
  };
}

function hostRule(value: unknown): HostRule[] {
  const { host, action } = fieldsOf(value);
  return typeof host === "string" && (action === "allow" || action === "deny") ? [{ host, action }] : [];
}

export interface Question {
  id: string;
  header: string | undefined;
  question: string;
  options: readonly { label: string; description: string | undefined }[];
  isOther: boolean;
  isSecret: boolean;
}

export function questionsOf(request: Fields): Question[] {
  return listOf(request["questions"]).flatMap((value) => {
    const fields = fieldsOf(value);
    const id = textOf(fields["id"]);
    if (!id) return [];
    const options = listOf(fields["options"]).flatMap((option) => {
      const { label, description } = fieldsOf(option);
      return typeof label === "string" ? [{ label, description: textOf(description) }] : [];
    });
    const question = textOf(fields["question"]) ?? id;
    return [{ id, header: textOf(fields["header"]), question, options, isOther: fields["isOther"] === true, isSecret: fields["isSecret"] === true }];
  });
}
