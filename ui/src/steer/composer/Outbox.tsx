import { CircleAlert, LoaderCircle } from "lucide-react";
import { useEffect } from "react";
import type { Conversation } from "../../model/conversation";
import { useStore } from "../../model/store";
import { Button } from "../../parts/Button";
import { giveBack } from "./drafts";
import { type Outgoing, forget, outboxOf, sendAgain, settle } from "./outbox";
import styles from "./Outbox.module.css";
import { Thumbnails } from "./Thumbnails";

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
        <li key={outgoing.key} className={outgoing.state === "failed" ? styles.failed : styles.going}>
          <p className={styles.text}>{outgoing.draft.text || "Picture"}</p>
          <Thumbnails pictures={outgoing.draft.pictures} />
          {outgoing.state === "failed" ? <Failed sessionId={sessionId} outgoing={outgoing} /> : <Going />}
        </li>
      ))}
    </ul>
  );
}

function Going() {
  return (
    <p className={styles.state}>
      <LoaderCircle size={12} aria-hidden className={styles.turning} /> Sending
    </p>
  );
}

function Failed({ sessionId, outgoing }: { sessionId: string; outgoing: Outgoing }) {
  const edit = () => {
    giveBack(sessionId, outgoing.draft);
    forget(sessionId, outgoing.key);
  };
  return (
    <div className={styles.row}>
      <p className={styles.error}>
        <CircleAlert size={14} aria-hidden /> Not sent: {outgoing.error?.text}
        {outgoing.error?.hint ? `; ${outgoing.error.hint}` : ""}
      </p>
      <Button onClick={() => void sendAgain(sessionId, outgoing)}>Try again</Button>
      <Button look="quiet" onClick={edit}>
        Back to the text
      </Button>
    </div>
  );
}
