import { FileDiff as DiffIcon } from "lucide-react";
import type { FileDiff } from "../api/types";
import { Note } from "../conversation/changes/Note";
import { Counts } from "../diff/Counts";
import { Button } from "../parts/Button";
import styles from "./ChangesThen.module.css";
import { backToNow } from "./entry";

/** Which files had changed by then. Their lines are read from the directory, which knows only how it is now. */
export function ChangesThen({ files }: { files: readonly FileDiff[] }) {
  if (files.length === 0) {
    return <Note icon={<DiffIcon size={28} />} title="Nothing had changed yet" words="At this moment the session had changed no file." />;
  }
  return (
    <section className={styles.changes} aria-labelledby="changes-then">
      <h2 id="changes-then" className={styles.title}>
        {files.length} {files.length === 1 ? "file" : "files"} changed by then
      </h2>
      <ul className={styles.files}>
        {files.map(({ path, added, removed }) => (
          <li key={path} className={styles.file}>
            <code className={styles.path}>{path}</code>
            <Counts added={added} removed={removed} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        The lines themselves are kept only as they are now. <Button onClick={backToNow}>Back to now</Button>
      </p>
    </section>
  );
}
