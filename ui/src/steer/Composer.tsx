import type { Conversation } from "../model/conversation";
import styles from "./Composer.module.css";
import { Editor } from "./composer/Editor";
import { Outbox } from "./composer/Outbox";
import { CommentsBar } from "./comments/CommentsBar";
import { WaitingStrip } from "./composer/WaitingStrip";
import { HeldBar } from "./queue/HeldBar";
import { Queue } from "./queue/Queue";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** Everything at the foot of a session: what waits for an answer, what is being sent, the queue, and where to write. */
export function Composer({ sessionId, conversation }: Props) {
  return (
    <section className={styles.composer} aria-label="Write to the agent">
      <div className={styles.column}>
        <WaitingStrip conversation={conversation} />
        <HeldBar sessionId={sessionId} conversation={conversation} />
        <Queue sessionId={sessionId} conversation={conversation} />
        <Outbox sessionId={sessionId} conversation={conversation} />
        <CommentsBar sessionId={sessionId} conversation={conversation} />
        <Editor key={sessionId} sessionId={sessionId} conversation={conversation} />
      </div>
    </section>
  );
}
