import type { Conversation } from "../model/conversation";
import { textOf } from "../steer/composer/history";
import { waitingMessages } from "../steer/queue/waiting";
import styles from "./QueueThen.module.css";

/** What waited for its turn at that moment; here it can only be read. */
export function QueueThen({ conversation }: { conversation: Conversation }) {
  const waiting = waitingMessages(conversation);
  if (waiting.length === 0) return null;
  return (
    <section className={styles.queue} aria-label="Queue">
      <h2 className={styles.title}>{waiting.length === 1 ? "Next" : `Next, ${waiting.length} messages`}</h2>
      <ol className={styles.list}>
        {waiting.map(({ messageId, input }) => (
          <li key={messageId} className={styles.message}>
            {textOf(input) || "A picture"}
          </li>
        ))}
      </ol>
    </section>
  );
}
