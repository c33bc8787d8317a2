import { Inbox } from "../steer/Inbox";
import styles from "./InboxPage.module.css";
import { SidebarButton } from "./SidebarButton";

/** Everything that waits for a person, in all sessions; the inbox has its own title. */
export function InboxPage() {
  return (
    <>
      <div className={styles.bar}>
        <SidebarButton />
      </div>
      <div className={styles.page}>
        <Inbox />
      </div>
    </>
  );
}
