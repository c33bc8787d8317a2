// The colours of some lines of a diff. What was and what is are two texts: each is highlighted as such.
import type { highlight as Highlight } from "../code/highlight";
import { type Token, tokenLines } from "../code/tokens";
import { LONGEST } from "../code/useHighlighted";
import type { DiffLine } from "./line";

export type Colours = ReadonlyMap<number, readonly Token[]>;

/** Whoever begins in the middle of a comment cannot know it: so many lines before are read as well. */
const LEAD = 60;

export function coloursOf(lines: readonly DiffLine[], from: number, to: number, language: string, highlight: typeof Highlight): Colours {
  const colours = new Map<number, readonly Token[]>();
  // A text begins anew with every hunk, because what lies between is not known.
  for (let start = from, end = from; start < to; start = end) {
    while (end < to && lines[end]?.hunk === lines[start]?.hunk) end++;
    // Lines that stayed are in both texts; the newer one is put in last.
    for (const side of ["delete", "insert"] as const) ofSide(start, end, side);
  }
  return colours;

  function ofSide(start: number, end: number, side: "delete" | "insert"): void {
    const isOfSide = (at: number) => lines[at]?.type === "normal" || lines[at]?.type === side;
    if (side === "delete" && !lines.slice(start, end).some(({ type }) => type === side)) return;
    const places: number[] = [];
    for (let at = Math.max(0, start - LEAD); at < end; at++) if (lines[at]?.hunk === lines[start]?.hunk && isOfSide(at)) places.push(at);
    const code = places.map((at) => lines[at]?.text ?? "").join("\n");
    const tree = code.length <= LONGEST ? highlight(code, language) : undefined;
    if (!tree) return;
    tokenLines(tree).forEach((tokens, nth) => {
      const at = places[nth];
      if (at !== undefined && at >= start) colours.set(at, tokens);
    });
  }
}
