import { useEffect, useRef } from "react";
import { useStore } from "../../model/store";
import { sheet } from "../layout";
import { Sidebar } from "./Sidebar";
import styles from "./SidebarSheet.module.css";

/** The sidebar of a phone: above the page, closed by Escape, a tap beside it, or a choice. */
export function SidebarSheet() {
  return useStore(sheet) ? <Sheet /> : null;
}

function Sheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-label="Sessions"
      // The news that it was closed comes late: by then it may be open again.
      onClose={(event) => event.currentTarget.open || sheet.set(false)}
      onClick={(event) => event.target === event.currentTarget && sheet.set(false)}
    >
      <Sidebar asSheet />
    </dialog>
  );
}
