// Lines side by side: what was removed stands beside what took its place.
import type { DiffLine } from "./line";

/** Places of lines. */
export type Pair = readonly [before: number | undefined, after: number | undefined];

export function pairsOf(lines: readonly DiffLine[], from: number, to: number): Pair[] {
  const pairs: Pair[] = [];
  let gone: number[] = [];
  let come: number[] = [];
  const settle = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) pairs.push([gone[at], come[at]]);
    gone = [];
    come = [];
  };
  for (let at = from; at < to; at++) {
    const type = lines[at]?.type;
    if (type === "delete") gone.push(at);
    else if (type === "insert") come.push(at);
    else {
      settle();
      pairs.push([at, at]);
    }
  }
  settle();
  return pairs;
}
