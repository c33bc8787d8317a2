import { useCallback, useMemo } from "react";
import type { Layout } from "../../diff/layout";
import { Lines } from "../../diff/Lines";
import { linesOf } from "../../diff/line";
import type { Notes, Range } from "../../diff/notes";
import type { DiffedFile } from "../../diff/parse";
import { isPhone } from "../composer/keys";
import { anchorAt, withMore } from "./anchor";
import { CommentNote } from "./CommentNote";
import { begin, begunIn } from "./comments";
import { placed, useCommentsIn } from "./placed";

interface Props {
  session: string;
  /** Which diff this is: comments belong to it. */
  where: string;
  id: string;
  file: DiffedFile;
  layout: Layout;
  limit: number;
}

/** The lines of a file's diff, and what is said of them. */
export function CommentedLines({ session, where, id, file, layout, limit }: Props) {
  const comments = useCommentsIn(session, where, file.path);
  const lines = linesOf(file);
  const onPoint = useCallback(
    (range: Range) => {
      // A phone has no Shift: who points again before writing anything means more lines.
      const more = isPhone() ? begunIn(session, where, file.path) : undefined;
      begin(session, where, file.path, anchorAt(lines, more ? withMore(lines, more, range) : range));
    },
    [session, where, file.path, lines],
  );
  const notes = useMemo<Notes>(() => {
    const { found, astray } = placed(comments, lines);
    const note = (id: string, gone = false) => <CommentNote key={id} session={session} id={id} gone={gone} />;
    return {
      under: new Map([...found].map(([at, those]) => [at, those.map(({ comment }) => note(comment.id))])),
      about: [...found.values()].flatMap((those) => those.map(({ range }) => range)),
      astray: astray.length > 0 ? astray.map(({ id }) => note(id, true)) : null,
      onPoint,
    };
  }, [comments, lines, session, onPoint]);
  return <Lines id={id} file={file} layout={layout} limit={limit} notes={notes} />;
}
