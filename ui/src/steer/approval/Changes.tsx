import { useMemo } from "react";
import { ChangeTitle } from "../../diff/ChangeTitle";
import { Counts } from "../../diff/Counts";
import { type Change, parseChange } from "../../diff/parse";
import { CommentedLines } from "../comments/CommentedLines";
import styles from "./Changes.module.css";
import type { Found } from "./useChanges";

interface Where {
  session: string;
  place: string;
}

/** What would be changed, in full. */
export function Changes({ found, ...where }: Where & { found: Found }) {
  if (found === "looking") return <p className={styles.note}>Looking up what would be changed…</p>;
  if (found === "none") {
    return <p className={styles.note}>Codex did not say what it would change. The session's conversation may show it.</p>;
  }
  return (
    <ul className={styles.list}>
      {found.map((change) => (
        <li key={change.path}>
          <File change={change} {...where} />
        </li>
      ))}
    </ul>
  );
}

function File({ change, session, place }: Where & { change: Change }) {
  const file = useMemo(() => parseChange(change), [change]);
  return (
    <figure className={styles.file}>
      <figcaption className={styles.head}>
        <span className={styles.title}>
          <ChangeTitle file={file} cwd={undefined} />
        </span>
        <Counts added={file.added} removed={file.removed} />
      </figcaption>
      <div className={styles.lines}>
        <CommentedLines session={session} where={place} id={change.path} file={file} layout="unified" limit={Number.POSITIVE_INFINITY} />
      </div>
    </figure>
  );
}
