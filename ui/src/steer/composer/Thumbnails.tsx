import { X } from "lucide-react";
import type { Picture } from "./drafts";
import styles from "./Thumbnails.module.css";

interface Props {
  pictures: readonly Picture[];
  onRemove?(id: string): void;
}

/** Pictures that go with a message. */
export function Thumbnails({ pictures, onRemove }: Props) {
  if (pictures.length === 0) return null;
  return (
    <ul className={styles.row} aria-label="Pictures">
      {pictures.map(({ id, name, url }) => (
        <li key={id} className={styles.one}>
          <img src={url} alt={name} className={styles.picture} />
          {onRemove ? (
            <button type="button" className={styles.remove} aria-label={`Remove ${name}`} title="Remove" onClick={() => onRemove(id)}>
              <X size={12} aria-hidden />
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
