import styles from "./Meter.module.css";

interface Props {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** In words, for who hears it. */
  words?: string;
}

/** How much of something is used: quiet until it gets tight. */
export function Meter({ label, percent, words }: Props) {
  const used = Math.max(0, Math.min(100, percent));
  const tone = used >= 95 ? styles.full : used >= 80 ? styles.tight : undefined;
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(used)}
      aria-valuetext={words}
      className={styles.meter}
    >
      <span className={[styles.used, tone].filter(Boolean).join(" ")} style={{ width: `${used}%` }} />
    </span>
  );
}
