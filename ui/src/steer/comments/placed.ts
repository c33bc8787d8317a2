// Which comments stand in a file's diff, and under which of its lines.
import { useRef } from "react";
import type { DiffLine } from "../../diff/line";
import type { Range } from "../../diff/notes";
import { findIn } from "./anchor";
import { type Comment, useComments } from "./comments";

/** Those of one file of one diff. Their words are not looked at, so that only the note renders while somebody writes. */
export function useCommentsIn(session: string, where: string, path: string): readonly Comment[] {
  const those = useComments(session).filter((comment) => comment.where === where && comment.path === path);
  const before = useRef(those);
  const same = those.length === before.current.length && those.every(({ id }, at) => id === before.current[at]?.id);
  if (!same) before.current = those;
  return before.current;
}

export interface Placed {
  /** By the last of their lines. */
  found: ReadonlyMap<number, readonly { comment: Comment; range: Range }[]>;
  /** Those whose lines are gone. */
  astray: readonly Comment[];
}

export function placed(comments: readonly Comment[], lines: readonly DiffLine[]): Placed {
  const found = new Map<number, { comment: Comment; range: Range }[]>();
  const astray: Comment[] = [];
  for (const comment of comments) {
    const range = findIn(lines, comment);
    if (!range) astray.push(comment);
    else found.set(range.to, [...(found.get(range.to) ?? []), { comment, range }]);
  }
  return { found, astray };
}
