import type { ReactNode } from "react";
import type { ItemEntry, MessageEntry } from "../../model/entry";
import { entryAsMarkdown } from "../../model/markdown";
import { LazyCopy } from "../blocks/LazyCopy";
import styles from "./WithCopy.module.css";

interface Props {
  entry: MessageEntry | ItemEntry;
  children: ReactNode;
}

/** What was said, with a button that copies it as it was written. */
export function WithCopy({ entry, children }: Props) {
  return (
    <div className={styles.with}>
      {children}
      <span className={styles.copy} data-of={entry.kind}>
        <LazyCopy label="Copy as markdown" make={() => entryAsMarkdown(entry)} />
      </span>
    </div>
  );
}
