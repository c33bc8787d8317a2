import styles from "./Quote.module.css";
import type { Quoted } from "./anchor";

const MOST = 6;
const SIGNS = { insert: "+", delete: "−", normal: " " } as const;

/** Lines as they were when something was said of them. */
export function Quote({ lines }: { lines: readonly Quoted[] }) {
  return (
    <pre className={styles.quote}>
      {lines.slice(0, MOST).map(({ type, text }, at) => (
        <span key={at} data-type={type} className={styles.line}>
          {SIGNS[type]} {text}
          {"\n"}
        </span>
      ))}
      {lines.length > MOST ? `… ${lines.length - MOST} more` : null}
    </pre>
  );
}
