import { count } from "../../lib/format";
import styles from "./Context.module.css";

interface Props {
  percent: number;
  window: number | undefined;
}

/** How much of what the model can hold is used. */
export function Context({ percent, window }: Props) {
  const words = window ? `${percent}% of ${count(window)} tokens` : `${percent}%`;
  return (
    <section className={styles.context} aria-label="Context used">
      <p className={styles.head}>
        <span className={styles.label}>Context used</span>
        <span>{words}</span>
      </p>
      <div className={styles.bar} role="meter" aria-label="Context used" aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100} aria-valuetext={words}>
        <div className={percent >= 80 ? `${styles.used} ${styles.high}` : styles.used} style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      {percent >= 80 ? <p className={styles.hint}>Nearly full. Compact the conversation, or go on in a new session.</p> : null}
    </section>
  );
}
