// Why Codex is gone, for people: the gateway may add what Codex printed last, which is for a second look.

export interface Reason {
  words: string;
  /** What it printed last. */
  printed: string | undefined;
}

const PRINTED = /;?\s*the end of its stderr:\s*/;

export function readReason(reason: string): Reason {
  const [words = "", printed] = reason.split(PRINTED, 2);
  return { words: words.trim(), printed: printed?.trim() || undefined };
}
