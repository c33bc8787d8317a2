import { Inbox } from "../steer/Inbox";
import styles from "./InboxPage.module.css";
import { PageHead } from "./PageHead";

/** Everything that waits for a person, in all sessions. */
export function InboxPage() {
  return (
    <>
      <PageHead title="Inbox" />
      <div className={styles.page}>
        <Inbox />
      </div>
    </>
  );
}
