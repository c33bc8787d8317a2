// Codex's own fields of a request, read with care: nothing of them is sure but what is looked at here.

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const wordsOf = (value: unknown): string[] => listOf(value).filter((word): word is string => typeof word === "string");

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

export interface Change {
  path: string;
  kind?: unknown;
  diff: string;
}

/** A `fileChange` item's changes, or those of an older request. */
export function changesOf(fields: Fields): Change[] {
  return listOf(fields["changes"]).flatMap((value) => {
    const { path, diff, kind } = fieldsOf(value);
    return typeof path === "string" ? [{ path, diff: typeof diff === "string" ? diff : "", kind }] : [];
  });
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
