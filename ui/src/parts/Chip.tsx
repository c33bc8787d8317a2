import { X } from "lucide-react";
import styles from "./Chip.module.css";

interface Props {
  words: string;
  /** What its cross does, in words. */
  remove: string;
  onRemove(): void;
}

/** Something that was chosen, and can be taken away again. */
export function Chip({ words, remove, onRemove }: Props) {
  return (
    <span className={styles.chip}>
      <span className={styles.words} title={words}>
        {words}
      </span>
      <button type="button" className={styles.remove} aria-label={remove} title={remove} onClick={onRemove}>
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
