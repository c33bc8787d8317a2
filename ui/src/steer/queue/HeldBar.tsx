import { Pause } from "lucide-react";
import { attempt } from "../../lib/notices";
import { readReason } from "../../lib/reason";
import { control } from "../../model/actions";
import type { Conversation } from "../../model/conversation";
import { refresh } from "../../model/fleet";
import { Button } from "../../parts/Button";
import styles from "./HeldBar.module.css";
import { type Held, useHeld } from "./useHeld";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** The session does nothing until somebody says so. */
export function HeldBar({ sessionId, conversation }: Props) {
  const held = useHeld(sessionId, conversation);
  if (!held) return null;
  const start = () =>
    void attempt("It does not go on", async () => {
      await control(sessionId, "start");
      await refresh(sessionId);
    });
  return (
    <div className={styles.held} role="status">
      <Pause size={16} aria-hidden className={styles.icon} />
      <p className={styles.words}>{words(held, conversation.queue.length)}</p>
      <Button onClick={start}>Go on</Button>
    </div>
  );
}

function words({ why, reason }: Held, queued: number): string {
  const waits = queued === 0 ? "" : queued === 1 ? " One message waits." : ` ${queued} messages wait.`;
  if (why === "lost") {
    return `The queue is held: nobody knows how the last turn ended. Look at what it did, then go on.${waits}`;
  }
  if (why === "failed") return `The session has failed${reason ? `: ${readReason(reason).words.replace(/\.$/, "")}` : ""}.${waits}`;
  return `The session is stopped.${waits}`;
}
