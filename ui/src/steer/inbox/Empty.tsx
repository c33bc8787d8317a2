import { Inbox as Tray } from "lucide-react";
import styles from "./Empty.module.css";

/** Nothing waits. */
export function Empty() {
  return (
    <div className={styles.empty}>
      <Tray size={28} aria-hidden className={styles.icon} />
      <p className={styles.words}>Nothing waits for you.</p>
      <p className={styles.more}>When an agent needs an answer, it comes here: from every session, as it happens.</p>
    </div>
  );
}
