import { ImageOff } from "lucide-react";
import { useState } from "react";
import styles from "./Pictures.module.css";
import type { Shown } from "./sources";
import { viewed } from "./viewed";

/** Pictures side by side; each opens larger. */
export function Pictures({ pictures }: { pictures: readonly Shown[] }) {
  if (pictures.length === 0) return null;
  return (
    <div className={styles.pictures}>
      {pictures.map((picture, at) => (
        <Picture key={at} picture={picture} />
      ))}
    </div>
  );
}

function Picture({ picture }: { picture: Shown }) {
  const [broken, setBroken] = useState(false);
  if (broken) {
    return (
      <p className={styles.broken}>
        <ImageOff size={14} aria-hidden /> {picture.alt}: this picture cannot be shown
      </p>
    );
  }
  return (
    <button type="button" className={styles.open} title="Show larger" onClick={() => viewed.set(picture)}>
      <img src={picture.src} alt={picture.alt} loading="lazy" onError={() => setBroken(true)} />
    </button>
  );
}
