import styles from "./Counts.module.css";

/** Lines added and removed. */
export function Counts({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null;
  return (
    <span className={styles.counts} aria-label={`${added} lines added, ${removed} removed`} role="img">
      <span className={styles.added}>+{added}</span> <span className={styles.removed}>−{removed}</span>
    </span>
  );
}
