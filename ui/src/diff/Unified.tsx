import type { Change, Hunk } from "gitdiff-parser";
import { memo } from "react";
import styles from "./Lines.module.css";

const SIGNS = { insert: "+", delete: "−", normal: " " } as const;

/** Removed and added lines under each other. */
export const Unified = memo(function Unified({ hunk }: { hunk: Hunk }) {
  return (
    <tbody>
      <HunkHead hunk={hunk} columns={3} />
      {hunk.changes.map((change, at) => (
        <tr key={at} className={styles[change.type]}>
          <td className={styles.number}>{oldNumber(change)}</td>
          <td className={styles.number}>{newNumber(change)}</td>
          <td className={styles.line}>
            <span className={styles.sign}>{SIGNS[change.type]}</span>
            {change.content}
          </td>
        </tr>
      ))}
    </tbody>
  );
});

export function HunkHead({ hunk, columns }: { hunk: Hunk; columns: number }) {
  if (hunk.content === "") return null;
  return (
    <tr className={styles.hunk}>
      <td colSpan={columns}>{hunk.content}</td>
    </tr>
  );
}

const oldNumber = (change: Change) =>
  change.type === "normal" ? change.oldLineNumber : change.type === "delete" ? change.lineNumber : null;
const newNumber = (change: Change) =>
  change.type === "normal" ? change.newLineNumber : change.type === "insert" ? change.lineNumber : null;
