import { useEffect } from "react";
import type { Conversation } from "../../model/conversation";
import { useStore } from "../../model/store";
import { outboxOf, settle } from "./outbox";
import { OutgoingChip } from "./OutgoingChip";
import styles from "./Outbox.module.css";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** The person's own messages until the conversation has them. */
export function Outbox({ sessionId, conversation }: Props) {
  const box = useStore(outboxOf(sessionId));
  useEffect(() => settle(sessionId, (id) => conversation.entries.has(`message:${id}`)), [sessionId, conversation.entries, box]);
  if (box.length === 0) return null;
  return (
    <ul className={styles.box} aria-label="Being sent" aria-live="polite">
      {box.map((outgoing) => (
        <OutgoingChip key={outgoing.key} sessionId={sessionId} outgoing={outgoing} />
      ))}
    </ul>
  );
}
