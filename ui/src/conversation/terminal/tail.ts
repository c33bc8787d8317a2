// The end of a long output: there the news is.

interface Size {
  lines: number;
  letters: number;
}

/** So much is shown at first: no more than a screen can use. */
export const GLANCE: Size = { lines: 14, letters: 16_000 };
/** And so much for who wants to read: no more than the page can hold with ease. */
export const READING: Size = { lines: 1_000, letters: 200_000 };
/** Folding a few lines away costs the reader more than it saves. */
const SPARE = 4;

export interface Tail {
  text: string;
  /** How many lines there are in all, if this is not all. */
  of: number | undefined;
}

export function tailOf(output: string, size: Size): Tail {
  const whole = output.replace(/\n$/, "");
  let lines = 1;
  let from = -1;
  for (let at = whole.length; (at = whole.lastIndexOf("\n", at - 1)) >= 0; lines++) {
    if (lines === size.lines) from = at + 1;
    if (at === 0) break;
  }
  const start = lines > size.lines + SPARE ? Math.max(from, 0) : 0;
  const text = whole.slice(Math.max(start, whole.length - size.letters));
  return { text, of: text.length < whole.length ? lines : undefined };
}
