// The commands behind `/`: their words. What they do stands in `runCommand.ts`.

export interface Command {
  name: string;
  argument?: string;
  does: string;
}

export const COMMANDS: readonly Command[] = [
  { name: "compact", does: "Sum up the conversation, to make room in the context" },
  { name: "review", does: "Let Codex review what was changed" },
  { name: "fork", does: "A new session with this history" },
  { name: "interrupt", does: "Stop the running turn" },
  { name: "stop", does: "Stop the session until you say go on" },
  { name: "rename", argument: "NAME", does: "Give the session a name" },
  { name: "model", argument: "NAME", does: "Use another model from the next turn on" },
  { name: "effort", argument: "NAME", does: "Think harder or less hard from the next turn on" },
  { name: "archive", does: "Put the session away" },
  { name: "help", does: "Show commands and keys" },
];

export type Parsed =
  | { is: "message" }
  | { is: "command"; command: Command; argument: string }
  | { is: "unknown"; name: string }
  | { is: "incomplete"; command: Command };

/** A text that begins with `/word` is a command; `/usr/bin` and what is longer than a line is not. */
export function parseCommand(text: string): Parsed {
  const found = /^\/([a-z]+)(?: +(\S[^\n]*))?\s*$/.exec(text);
  if (!found) return { is: "message" };
  const [, name = "", argument = ""] = found;
  const command = COMMANDS.find((known) => known.name === name);
  if (!command) return argument === "" ? { is: "unknown", name } : { is: "message" };
  // With words behind it that it does not take, it is a sentence.
  if (!command.argument && argument.trim() !== "") return { is: "message" };
  if (command.argument && argument.trim() === "") return { is: "incomplete", command };
  return { is: "command", command, argument: argument.trim() };
}

export const matching = (query: string): Command[] => COMMANDS.filter(({ name }) => name.startsWith(query));
