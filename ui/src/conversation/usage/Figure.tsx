import styles from "./Figure.module.css";

interface Props {
  label: string;
  value: string;
  /** Of what it is made. */
  note?: string | undefined;
}

/** One large number. */
export function Figure({ label, value, note }: Props) {
  return (
    <div className={styles.figure}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {note ? <dd className={styles.note}>{note}</dd> : null}
    </div>
  );
}
