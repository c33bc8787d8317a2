// A hunk side by side: what was removed stands beside what took its place.
import type { Change, Hunk } from "gitdiff-parser";

export type Pair = [before: Change | undefined, after: Change | undefined];

export function pairsOf({ changes }: Hunk): Pair[] {
  const pairs: Pair[] = [];
  let gone: Change[] = [];
  let come: Change[] = [];
  const settle = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) pairs.push([gone[at], come[at]]);
    gone = [];
    come = [];
  };
  for (const change of changes) {
    if (change.type === "delete") gone.push(change);
    else if (change.type === "insert") come.push(change);
    else {
      settle();
      pairs.push([change, change]);
    }
  }
  settle();
  return pairs;
}
