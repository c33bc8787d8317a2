import { type KeyboardEvent, useId } from "react";
import { Button } from "../../parts/Button";
import { countOf } from "../comments/message";
import styles from "./Decline.module.css";
import { useRemembered } from "./useRemembered";

interface Props {
  approval: string;
  busy: boolean;
  /** What saying no does. */
  means: string;
  /** That are said with it. */
  comments: number;
  onDecline(message: string | undefined): void;
  onBack(): void;
}

/** A no, with a word to the agent if one likes. */
export function Decline({ approval, busy, means, comments, onDecline, onBack }: Props) {
  const [message, setMessage] = useRemembered(`${approval}.message`, "");
  const id = useId();
  const decline = () => onDecline(message.trim() === "" ? undefined : message);
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onBack();
    else if (event.key === "Enter" && !event.shiftKey) decline();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.decline}>
      <label htmlFor={id} className={styles.label}>
        What should it do instead? <span className={styles.optional}>Optional; the agent is told</span>
      </label>
      <textarea
        id={id}
        autoFocus
        rows={2}
        className={styles.text}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        onKeyDown={pressed}
      />
      <div className={styles.row}>
        <Button look="danger" disabled={busy} onClick={decline}>
          {comments > 0 ? `Decline with ${countOf(comments)}` : "Decline"}
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
        <span className={styles.means}>{means}</span>
      </div>
    </div>
  );
}
