import { FileDiff as DiffIcon } from "lucide-react";
import { useMemo, useRef } from "react";
import { LayoutChoice } from "../conversation/changes/LayoutChoice";
import { Note } from "../conversation/changes/Note";
import { useLayout } from "../conversation/changes/useLayout";
import { Counts } from "../diff/Counts";
import { FoldsContext } from "../lib/useFold";
import type { Conversation } from "../model/conversation";
import styles from "./ChangesThen.module.css";
import { changedThen } from "./changed";
import { FileThen } from "./FileThen";

/** What had changed by then, line by line, as the agent had made it. */
export function ChangesThen({ conversation }: { conversation: Conversation }) {
  const { entries, changed, settings } = conversation;
  const files = useMemo(() => changedThen({ entries, changed, settings }), [entries, changed, settings]);
  const [layout, choose] = useLayout();
  const folds = useRef(new Map<string, boolean>()).current;
  if (files.length === 0) {
    return <Note icon={<DiffIcon size={28} />} title="Nothing had changed yet" words="At this moment the session had changed no file." />;
  }
  const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
  return (
    <FoldsContext value={folds}>
      <section className={styles.changes} aria-labelledby="changes-then">
        <header className={styles.head}>
          <h2 id="changes-then" className={styles.title}>
            {files.length} {files.length === 1 ? "file" : "files"} changed by then
          </h2>
          <Counts added={sum("added")} removed={sum("removed")} />
          <span className={styles.space} />
          <LayoutChoice layout={layout} onChoose={choose} />
        </header>
        {files.map((file) => (
          <FileThen key={file.path} file={file} layout={layout} />
        ))}
      </section>
    </FoldsContext>
  );
}
