// The beginning of a long diff.
import type { Hunk } from "gitdiff-parser";

/** Hunks with this many lines at most, and how many more there are. A few more are shown rather than folded. */
export function foldHunks(hunks: readonly Hunk[], limit: number): { hunks: Hunk[]; more: number } {
  const total = hunks.reduce((sum, hunk) => sum + hunk.changes.length, 0);
  if (total <= limit * 1.2) return { hunks: [...hunks], more: 0 };
  const shown: Hunk[] = [];
  let room = limit;
  for (const hunk of hunks) {
    if (room <= 0) break;
    shown.push(hunk.changes.length <= room ? hunk : { ...hunk, changes: hunk.changes.slice(0, room) });
    room -= hunk.changes.length;
  }
  return { hunks: shown, more: total - limit };
}
