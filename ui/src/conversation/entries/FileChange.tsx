import { FilePen } from "lucide-react";
import { useMemo } from "react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { usePlace } from "../context";
import { Counts } from "../../diff/Counts";
import { changesOf, type DiffedFile, parseChange } from "../../diff/parse";
import { CommentCount } from "../../steer/comments/CommentCount";
import { CommentedLines } from "../../steer/comments/CommentedLines";
import { useSoughtIn } from "../../steer/comments/sought";
import { howItWent } from "./ended";
import { ChangeTitle } from "../../diff/ChangeTitle";
import styles from "./FileChange.module.css";

/** What the agent changed in files: a diff for each. */
export function FileChange({ entry }: { entry: ItemEntry }) {
  const files = useMemo(() => changesOf(entry.item).map(parseChange), [entry.item]);
  if (files.length === 0) {
    const went = howItWent(entry);
    return (
      <Block id={entry.key} icon={<FilePen size={14} />} title="Changing files" meta={went.words} tone={went.tone}>
        <pre className={styles.patch}>{entry.streamed.patch ?? "Nothing yet"}</pre>
      </Block>
    );
  }
  return (
    <div className={styles.files}>
      {files.map((file) => (
        <File key={file.path} entry={entry} file={file} />
      ))}
    </div>
  );
}

function File({ entry, file }: { entry: ItemEntry; file: DiffedFile }) {
  const { cwd, sessionId } = usePlace();
  const went = howItWent(entry);
  const id = `${entry.key}:${file.path}`;
  const sought = useSoughtIn(entry.key, file.path);
  return (
    <Block
      id={id}
      open={file.added + file.removed <= 400}
      sought={sought}
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
      <CommentedLines session={sessionId} where={entry.key} id={id} file={file} layout="unified" limit={40} />
    </Block>
  );
}
