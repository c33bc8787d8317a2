import { Folder as FolderIcon } from "lucide-react";
import { lastPart } from "../../lib/format";
import { Counts } from "../../diff/Counts";
import styles from "./FileTree.module.css";
import type { Folder } from "./tree";

interface Props {
  folder: Folder;
  onPick(path: string): void;
}

/** The changed files in their folders. */
export function FileTree({ folder, onPick }: Props) {
  return (
    <ul className={styles.tree}>
      {folder.folders.map((inner) => (
        <li key={inner.path}>
          <span className={styles.folder}>
            <FolderIcon size={14} aria-hidden /> {inner.name}
          </span>
          <FileTree folder={inner} onPick={onPick} />
        </li>
      ))}
      {folder.files.map((file) => (
        <li key={file.path}>
          <button type="button" className={styles.file} title={file.path} onClick={() => onPick(file.path)}>
            <span className={styles.name} data-kind={file.kind}>
              {lastPart(file.path)}
            </span>
            {file.binary ? <span className={styles.binary}>binary</span> : <Counts added={file.added} removed={file.removed} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
