import { GitFork } from "lucide-react";
import { forkAndOpen } from "../../lib/forkAndOpen";
import { IconButton } from "../../parts/Button";
import { usePlace } from "../context";
import styles from "./ForkHere.module.css";

/** Goes on from a message in another session: this one stays as it is. */
export function ForkHere({ messageId }: { messageId: string }) {
  const { sessionId } = usePlace();
  return (
    <IconButton label="Fork from here: a new session with everything up to the answer" className={styles.fork} onClick={() => void forkAndOpen(sessionId, messageId)}>
      <GitFork size={14} aria-hidden />
    </IconButton>
  );
}
