import type { Conversation } from "../../model/conversation";
import { Outbox } from "../composer/Outbox";
import { CommentsBar } from "./CommentsBar";
import styles from "./ReviewFoot.module.css";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** Under the changes, where no composer is: the comments, and what becomes of their message. */
export function ReviewFoot({ sessionId, conversation }: Props) {
  return (
    <div className={styles.foot}>
      <Outbox sessionId={sessionId} conversation={conversation} />
      <CommentsBar sessionId={sessionId} conversation={conversation} alone />
    </div>
  );
}
