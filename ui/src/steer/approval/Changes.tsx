import { useMemo } from "react";
import { ChangeTitle } from "../../diff/ChangeTitle";
import { Counts } from "../../diff/Counts";
import { Lines } from "../../diff/Lines";
import { type Change, parseChange } from "../../diff/parse";
import styles from "./Changes.module.css";
import type { Found } from "./useChanges";

/** What would be changed, in full. */
export function Changes({ found }: { found: Found }) {
  if (found === "looking") return <p className={styles.note}>Looking up what would be changed…</p>;
  if (found === "none") {
    return <p className={styles.note}>Codex did not say what it would change. The session's conversation may show it.</p>;
  }
  return (
    <ul className={styles.list}>
      {found.map((change) => (
        <li key={change.path}>
          <File change={change} />
        </li>
      ))}
    </ul>
  );
}

function File({ change }: { change: Change }) {
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
        <Lines id={change.path} file={file} layout="unified" limit={Number.POSITIVE_INFINITY} />
      </div>
    </figure>
  );
}
