import styles from "./Kbd.module.css";

interface Props {
  keys: readonly string[];
  /** In a button: in its own colours. */
  inside?: boolean;
}

/** Keys as they are printed, pressed together or one after the other. */
export function Kbd({ keys, inside = false }: Props) {
  return (
    <span className={styles.keys}>
      {keys.map((key, place) => (
        // The same key may stand twice.
        <kbd key={`${place}${key}`} className={inside ? styles.inside : styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
