import { useMemo } from "react";
import styles from "./Changes.module.css";
import { type DiffLine, counted, diffLines, kindOf, movedTo } from "./diffLines";
import type { Change } from "./request";
import type { Found } from "./useChanges";

const WORDS = { add: "New", delete: "Deleted", update: "Changed" } as const;
const LOOKS: Record<DiffLine["mark"], string | undefined> = {
  "+": styles.added,
  "-": styles.removed,
  "@": styles.hunk,
  " ": styles.same,
};

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
  const lines = useMemo(() => diffLines(change), [change]);
  const moved = movedTo(change);
  return (
    <figure className={styles.file}>
      <figcaption className={styles.head}>
        <span className={styles.kind}>{WORDS[kindOf(change)]}</span>
        <code className={styles.path}>{moved ? `${change.path} → ${moved}` : change.path}</code>
        <span className={styles.plus}>+{counted(lines, "+")}</span>
        <span className={styles.minus}>−{counted(lines, "-")}</span>
      </figcaption>
      <pre className={styles.diff} tabIndex={0} aria-label={`Changes of ${change.path}`}>
        {lines.map((line, place) => (
          <span key={place} className={LOOKS[line.mark]}>
            <span className={styles.mark}>{line.mark === "@" ? " " : line.mark}</span>
            {line.text}
            {"\n"}
          </span>
        ))}
      </pre>
    </figure>
  );
}
