// A file's diff as one list of lines: what rows, colours and comments are made of. A line's place is its index in here.
import type { Change } from "gitdiff-parser";
import type { DiffedFile } from "./parse";

export interface DiffLine {
  type: Change["type"];
  text: string;
  /** Its number before, and after; a line that came or went has one of them only. */
  before: number | undefined;
  after: number | undefined;
  /** Which hunk it is in. */
  hunk: number;
}

const made = new WeakMap<DiffedFile, readonly DiffLine[]>();

export function linesOf(file: DiffedFile): readonly DiffLine[] {
  const known = made.get(file);
  if (known) return known;
  const lines = file.hunks.flatMap(({ changes }, hunk) => changes.map((change) => lineOf(change, hunk)));
  made.set(file, lines);
  return lines;
}

function lineOf(change: Change, hunk: number): DiffLine {
  const { type, content: text } = change;
  switch (change.type) {
    case "insert":
      return { type, text, before: undefined, after: change.lineNumber, hunk };
    case "delete":
      return { type, text, before: change.lineNumber, after: undefined, hunk };
    case "normal":
      return { type, text, before: change.oldLineNumber, after: change.newLineNumber, hunk };
  }
}

/** How many lines of a long diff are shown at first. A few more are shown rather than folded. */
export const shownAtFirst = (total: number, limit: number): number => (total <= limit * 1.2 ? total : limit);

const TAB = 4;
/** Signs that are not of one letter's width: tabs, and from Hangul on most take two. */
const WIDE = /[\t\u1100-\uffff]/g;

const widthOf = (text: string): number => {
  let width = text.length;
  for (const [sign] of text.matchAll(WIDE)) width += sign === "\t" ? TAB - 1 : 1;
  return width;
};

/** How much room a file's numbers and its longest line need, in letters. */
export function roomFor(lines: readonly DiffLine[]): { digits: number; letters: number } {
  let highest = 0;
  let letters = 0;
  for (const { before = 0, after = 0, text } of lines) {
    highest = Math.max(highest, before, after);
    letters = Math.max(letters, widthOf(text));
  }
  return { digits: String(highest).length, letters };
}
