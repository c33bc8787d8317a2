import styles from "./Keys.module.css";

/** Keys inside a button, in its own colours. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.map((key, place) => (
        // The same key may stand twice.
        <kbd key={`${place}${key}`} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
