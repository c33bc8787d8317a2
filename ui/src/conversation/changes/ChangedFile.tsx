import { FilePen } from "lucide-react";
import { memo } from "react";
import { Block } from "../blocks/Block";
import { Counts } from "../../diff/Counts";
import type { Layout } from "../../diff/layout";
import type { DiffedFile } from "../../diff/parse";
import { ChangeTitle } from "../../diff/ChangeTitle";
import { CommentCount } from "../../steer/comments/CommentCount";
import { CommentedLines } from "../../steer/comments/CommentedLines";
import { CHANGES } from "../../steer/comments/place";
import { useSoughtIn } from "../../steer/comments/sought";
import styles from "./ChangedFile.module.css";

interface Props {
  session: string;
  file: DiffedFile;
  layout: Layout;
  open: boolean;
}

/** One file of all that changed, foldable. */
export const ChangedFile = memo(function ChangedFile({ session, file, layout, open }: Props) {
  const sought = useSoughtIn(CHANGES, file.path);
  return (
    <div id={placeOf(file.path)} className={styles.file} tabIndex={-1}>
      <Block
        id={file.path}
        open={open}
        sought={sought}
        icon={<FilePen size={14} />}
        title={<ChangeTitle file={file} cwd={undefined} />}
        meta={
          <>
            <CommentCount session={session} where={CHANGES} path={file.path} />
            {file.binary ? "binary" : <Counts added={file.added} removed={file.removed} />}
          </>
        }
      >
        <CommentedLines session={session} where={CHANGES} id={file.path} file={file} layout={layout} limit={400} />
      </Block>
    </div>
  );
});

/** Where a file stands on the page. */
export const placeOf = (path: string): string => `change:${path}`;
