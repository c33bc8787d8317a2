import { FilePen } from "lucide-react";
import { useMemo } from "react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { usePlace } from "../context";
import { Counts } from "../../diff/Counts";
import { changesOf, parseChange } from "../../diff/parse";
import { CommentCount } from "../../steer/comments/CommentCount";
import { CommentedLines } from "../../steer/comments/CommentedLines";
import { howItWent } from "./ended";
import { ChangeTitle } from "../../diff/ChangeTitle";
import styles from "./FileChange.module.css";

/** What the agent changed in files: a diff for each. */
export function FileChange({ entry }: { entry: ItemEntry }) {
  const { cwd, sessionId } = usePlace();
  const files = useMemo(() => changesOf(entry.item).map(parseChange), [entry.item]);
  const went = howItWent(entry);
  if (files.length === 0) {
    return (
      <Block id={entry.key} icon={<FilePen size={14} />} title="Changing files" meta={went.words} tone={went.tone}>
        <pre className={styles.patch}>{entry.streamed.patch ?? "Nothing yet"}</pre>
      </Block>
    );
  }
  return (
    <div className={styles.files}>
      {files.map((file) => (
        <Block
          key={file.path}
          id={`${entry.key}:${file.path}`}
          open={file.added + file.removed <= 400}
          icon={<FilePen size={14} />}
          tone={went.tone}
          title={<ChangeTitle file={file} cwd={cwd} />}
          meta={
            <>
              <CommentCount session={sessionId} where={entry.key} path={file.path} />
              {went.words ? `${went.words} · ` : null}
              <Counts added={file.added} removed={file.removed} />
            </>
          }
        >
          <CommentedLines session={sessionId} where={entry.key} id={`${entry.key}:${file.path}`} file={file} layout="unified" limit={40} />
        </Block>
      ))}
    </div>
  );
}
