// Rules that Codex keeps for good, offered with a command.
import type { AnswerApproval } from "../../api/types";
import type { CommandRequest } from "./request";

export interface Rule {
  label: string;
  means: string;
  amendment: NonNullable<AnswerApproval["amendment"]>;
}

export function rulesOf({ rule, hostRules }: CommandRequest): Rule[] {
  const hosts = hostRules.map(({ host, action }): Rule => {
    const allows = action === "allow";
    return {
      label: allows ? `Always allow ${host}` : `Always block ${host}`,
      means: allows
        ? `Codex keeps a rule: commands may reach ${host}, in every session, for good.`
        : `Codex keeps a rule: no command may reach ${host}, in any session, for good.`,
      amendment: { host, action },
    };
  });
  if (rule.length === 0) return hosts;
  const begins = rule.map((word) => (/[^\w@%+=:,./-]/.test(word) || word === "" ? JSON.stringify(word) : word)).join(" ");
  const words: Rule = {
    label: "Always allow",
    means: `Codex keeps a rule: every command that begins with \`${begins}\` runs without asking, in every session, for good.`,
    amendment: [...rule],
  };
  return [words, ...hosts];
}
