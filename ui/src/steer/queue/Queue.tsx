import { useState } from "react";
import { attempt } from "../../lib/notices";
import { changeMessage } from "../../model/actions";
import type { Conversation } from "../../model/conversation";
import { QueueChip } from "./QueueChip";
import styles from "./Queue.module.css";
import { beside, droppedOn } from "./place";
import { waitingMessages } from "./waiting";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** What waits for its turn: it can be edited, moved and taken back. */
export function Queue({ sessionId, conversation }: Props) {
  const [dragged, setDragged] = useState<string>();
  const { queue } = conversation;
  const waiting = waitingMessages(conversation);
  if (waiting.length === 0) return null;
  const move = (id: string, position: number | undefined) => {
    if (position !== undefined) void attempt("Not moved", () => changeMessage(sessionId, id, { position }));
  };
  return (
    <section aria-label="Queue" className={styles.queue}>
      <h2 className={styles.title}>{waiting.length === 1 ? "Next" : `Next, ${waiting.length} messages`}</h2>
      <ol className={styles.list}>
        {waiting.map((entry, place) => (
          <QueueChip
            key={entry.messageId}
            sessionId={sessionId}
            entry={entry}
            place={place}
            length={waiting.length}
            isDragged={dragged === entry.messageId}
            onMove={(by) => move(entry.messageId, beside(place, by, waiting.length))}
            onDrag={setDragged}
            onDrop={() => {
              if (dragged) move(dragged, droppedOn(queue, dragged, entry.messageId));
              setDragged(undefined);
            }}
          />
        ))}
      </ol>
    </section>
  );
}
