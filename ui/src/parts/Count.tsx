import styles from "./Count.module.css";

interface Props {
  number: number;
  /** What is counted, for who hears it: `waits for you`. */
  label: string;
}

/** A small number that says: a person is needed. */
export function Count({ number, label }: Props) {
  if (number === 0) return null;
  return (
    <span className={styles.count} title={`${number} ${label}`}>
      <span aria-hidden>{number > 99 ? "99+" : number}</span>
      <span className="visually-hidden">{`${number} ${label}`}</span>
    </span>
  );
}
