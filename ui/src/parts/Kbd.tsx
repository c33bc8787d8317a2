import styles from "./Kbd.module.css";

/** Keys as they are printed, pressed together or one after the other. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.map((key, index) => (
        <kbd key={`${key}${index}`} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
