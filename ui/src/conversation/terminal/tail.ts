// The end of a long output: there the news is.

/** So many lines are shown, and no more letters than a screen can use. */
const LINES = 14;
const LETTERS = 16_000;
/** Folding a few lines away costs the reader more than it saves. */
const SPARE = 4;

export interface Tail {
  text: string;
  /** How many lines there are in all, if this is not all. */
  of: number | undefined;
}

export function tailOf(output: string): Tail {
  const whole = output.replace(/\n$/, "");
  let lines = 1;
  let from = -1;
  for (let at = whole.length; (at = whole.lastIndexOf("\n", at - 1)) >= 0; lines++) {
    if (lines === LINES) from = at + 1;
    if (at === 0) break;
  }
  const start = lines > LINES + SPARE ? Math.max(from, 0) : 0;
  const text = whole.slice(Math.max(start, whole.length - LETTERS));
  return { text, of: text.length < whole.length ? lines : undefined };
}
