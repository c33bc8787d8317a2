import type { Change, Hunk } from "gitdiff-parser";
import { memo } from "react";
import styles from "./Lines.module.css";
import { pairsOf } from "./sides";
import { HunkHead } from "./Unified";

/** How it was at the left, how it is at the right. */
export const SideBySide = memo(function SideBySide({ hunk }: { hunk: Hunk }) {
  return (
    <tbody>
      <HunkHead hunk={hunk} columns={4} />
      {pairsOf(hunk).map(([before, after], at) => (
        <tr key={at}>
          <Half change={before} side="old" />
          <Half change={after} side="new" />
        </tr>
      ))}
    </tbody>
  );
});

function Half({ change, side }: { change: Change | undefined; side: "old" | "new" }) {
  if (!change) return <td colSpan={2} className={styles.nothing} />;
  const number = change.type === "normal" ? (side === "old" ? change.oldLineNumber : change.newLineNumber) : change.lineNumber;
  const tone = styles[change.type];
  return (
    <>
      <td className={`${styles.number} ${tone}`}>{number}</td>
      <td className={`${styles.line} ${tone}`}>{change.content}</td>
    </>
  );
}
