import { CircleAlert, Clock, LoaderCircle, Pencil, X } from "lucide-react";
import { Button, IconButton } from "../../parts/Button";
import { EditChip } from "../queue/EditChip";
import { deliver, sendAgain } from "./deliver";
import { giveBack } from "./drafts";
import { type Outgoing, change, forget } from "./outbox";
import styles from "./OutgoingChip.module.css";
import { Thumbnails } from "./Thumbnails";

interface Props {
  sessionId: string;
  outgoing: Outgoing;
}

/** One message that the gateway has not taken yet. */
export function OutgoingChip({ sessionId, outgoing }: Props) {
  const { key, draft, state } = outgoing;
  const as = (next: Partial<Outgoing>) => change(sessionId, key, (it) => ({ ...it, ...next }));
  const write = () => document.querySelector<HTMLElement>("[data-composer]")?.focus();
  const back = () => {
    giveBack(sessionId, draft);
    forget(sessionId, key);
    write();
  };
  if (state === "editing") {
    const save = (text: string) => as({ draft: { ...draft, text } });
    const done = () => {
      as({ state: "waiting" });
      write();
      void deliver(sessionId);
    };
    return (
      <li className={styles.waiting}>
        <EditChip text={draft.text} onSave={save} onDone={done} />
      </li>
    );
  }
  return (
    <li className={styles[state]}>
      <p className={styles.text}>{draft.text || "Picture"}</p>
      <Thumbnails pictures={draft.pictures} />
      {state === "refused" ? (
        <div className={styles.row}>
          <p className={styles.error}>
            <CircleAlert size={14} aria-hidden /> Not sent: {outgoing.error?.text}
            {outgoing.error?.hint ? `; ${outgoing.error.hint}` : ""}
          </p>
          <Button onClick={() => void sendAgain(sessionId, outgoing)}>
            {outgoing.error?.code === "key_reused" ? "Send as another" : "Try again"}
          </Button>
          <Button look="quiet" onClick={back}>
            Back to the text
          </Button>
        </div>
      ) : null}
      {state === "waiting" ? (
        <div className={styles.row}>
          <p className={styles.state}>
            <Clock size={12} aria-hidden /> Waiting for the gateway
          </p>
          <span className={styles.buttons}>
            <IconButton label="Edit" onClick={() => as({ state: "editing" })}>
              <Pencil size={14} aria-hidden />
            </IconButton>
            <IconButton label="Take back" onClick={back}>
              <X size={14} aria-hidden />
            </IconButton>
          </span>
        </div>
      ) : null}
      {state === "sending" || state === "accepted" ? (
        <p className={styles.state}>
          <LoaderCircle size={12} aria-hidden className={styles.turning} /> Sending
        </p>
      ) : null}
    </li>
  );
}
