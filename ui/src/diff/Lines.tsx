import { useFold } from "../lib/useFold";
import { foldHunks } from "./fold";
import styles from "./Lines.module.css";
import type { DiffedFile } from "./parse";
import { SideBySide } from "./SideBySide";
import { Unified } from "./Unified";

export type Layout = "unified" | "split";

interface Props {
  /** Where it is remembered that all was asked for. */
  id: string;
  file: DiffedFile;
  layout: Layout;
  /** A longer one shows its beginning only, until asked. */
  limit: number;
}

/** The lines of one file's diff. */
export function Lines({ id, file, layout, limit }: Props) {
  const [all, toggle] = useFold(`${id}:all`, false);
  if (file.binary) return <p className={styles.note}>A binary file: there are no lines to show.</p>;
  if (file.hunks.length === 0) {
    return <p className={styles.note}>{file.from ? "Moved; its lines are the same." : "No line changed: the file is empty, or only its mode changed."}</p>;
  }
  const { hunks, more } = all ? { hunks: file.hunks, more: 0 } : foldHunks(file.hunks, limit);
  const Hunk = layout === "split" ? SideBySide : Unified;
  return (
    <>
      <div className={styles.scroll} role="region" aria-label={`Diff of ${file.path}`} tabIndex={0}>
        <table className={layout === "split" ? `${styles.lines} ${styles.split}` : styles.lines}>
          {layout === "split" ? <Columns /> : null}
          {hunks.map((hunk, at) => (
            <Hunk key={at} hunk={hunk} />
          ))}
        </table>
      </div>
      {more > 0 || all ? (
        <button type="button" className={styles.more} aria-expanded={all} onClick={toggle}>
          {all ? "Show less" : `Show ${more.toLocaleString()} more lines`}
        </button>
      ) : null}
    </>
  );
}

function Columns() {
  return (
    <colgroup>
      <col className={styles.number} />
      <col />
      <col className={styles.number} />
      <col />
    </colgroup>
  );
}
