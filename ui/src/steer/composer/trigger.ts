// What is being completed where the caret stands: a command, a command's argument, or a file.

export type Trigger =
  | { of: "command"; query: string; from: number; to: number }
  | { of: "argument"; command: string; query: string; from: number; to: number }
  | { of: "file"; query: string; from: number; to: number };

export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([a-z]*)$/.exec(before);
  if (command) return { of: "command", query: command[1] ?? "", from: 0, to: wordEnd(text, caret) };
  const argument = /^\/([a-z]+) (\S*)$/.exec(before);
  if (argument) {
    const query = argument[2] ?? "";
    return { of: "argument", command: argument[1] ?? "", query, from: caret - query.length, to: wordEnd(text, caret) };
  }
  const file = /(?:^|[\s("'`])@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { of: "file", query, from: caret - query.length - 1, to: wordEnd(text, caret) };
}

function wordEnd(text: string, caret: number): number {
  const rest = text.slice(caret).search(/\s/);
  return rest < 0 ? text.length : caret + rest;
}

export interface Inserted {
  text: string;
  caret: number;
}

/** The text with what was chosen in the trigger's place, and a space behind it. */
export function insert(text: string, trigger: Trigger, chosen: string): Inserted {
  const rest = text.slice(trigger.to);
  const put = rest.startsWith(" ") ? chosen : `${chosen} `;
  const caret = trigger.from + chosen.length + 1;
  return { text: text.slice(0, trigger.from) + put + rest, caret };
}

/** A path as it stands in a sentence. */
export const quotedPath = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);
