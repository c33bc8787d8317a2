import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./Button";
import styles from "./Dialog.module.css";

interface Props {
  title: string;
  /** As wide as what is in it needs. */
  wide?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** The browser's own modal dialog: it keeps the focus, closes on Escape, and makes the rest inert. */
export function Dialog({ title, wide = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) {
      element.showModal();
      // What the dialog is about comes first, not the cross that closes it.
      const first = element.querySelector<HTMLElement>("[data-body] [data-first]");
      (first ?? element.querySelector<HTMLElement>("[data-body] :is(input, textarea, select, button)"))?.focus();
    }
    return () => element?.close();
  }, []);
  // The news that it was closed comes late: by then it may be open again.
  const closed = () => dialog.current?.open || onClose();
  return (
    <dialog ref={dialog} className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog} aria-labelledby={id} onClose={closed}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.body} data-body>{children}</div>
    </dialog>
  );
}
