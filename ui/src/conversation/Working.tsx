import { useEffect, useState } from "react";
import { duration } from "../lib/format";
import { useMoment } from "../lib/moment";
import type { Conversation } from "../model/conversation";
import { doing } from "./doing";
import styles from "./Working.module.css";

/** The last line while something is under way: what, and for how long. */
export function Working({ conversation }: { conversation: Conversation }) {
  const now = doing(conversation);
  const past = useMoment() !== undefined;
  if (!now) return null;
  return (
    <div className={now.waits ? `${styles.working} ${styles.waits}` : styles.working} role={past ? undefined : "status"}>
      <span className={styles.pulse} aria-hidden />
      <span>{now.words}</span>
      {now.what ? <code className={styles.what}>{now.what}</code> : null}
      {now.since ? <Elapsed since={now.since} /> : null}
    </div>
  );
}

function Elapsed({ since }: { since: string }) {
  const [now, tick] = useState(Date.now);
  const moment = useMoment();
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // Not announced: a listener does not want a voice each second.
  return (
    <span className={styles.elapsed} aria-hidden>
      {duration(Math.max(0, Math.floor(((moment ?? now) - Date.parse(since)) / 1_000)) * 1_000).replace(".0", "")}
    </span>
  );
}
