import { CircleAlert, Info, X } from "lucide-react";
import { dismiss, notices } from "../lib/notices";
import { useStore } from "../model/store";
import { IconButton } from "../parts/Button";
import { Words } from "../parts/Words";
import styles from "./Toasts.module.css";

/** What went wrong with something a person did. It stays until it is closed: nobody has to read fast. */
export function Toasts() {
  const shown = useStore(notices);
  return (
    <div className={styles.toasts} role="log" aria-live="assertive" aria-label="Notices">
      {shown.map(({ id, tone, text, hint }) => (
        <div key={id} className={styles.toast} data-tone={tone}>
          {tone === "error" ? <CircleAlert size={16} aria-hidden /> : <Info size={16} aria-hidden />}
          <div className={styles.words}>
            <p>
              <Words text={text} />
            </p>
            {hint && (
              <p className={styles.hint}>
                <Words text={hint} />
              </p>
            )}
          </div>
          <IconButton label="Close this notice" onClick={() => dismiss(id)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
