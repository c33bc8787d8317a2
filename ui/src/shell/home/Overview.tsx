import { useMemo, useState } from "react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { Button } from "../../parts/Button";
import { Words } from "../../parts/Words";
import { waitingBySession } from "../known";
import { firstWords, titleOf } from "../title";
import { useNow } from "../useNow";
import { demonstrate } from "../world/demonstrate";
import { Activity } from "./Activity";
import styles from "./Overview.module.css";
import { sections } from "./sections";
import { SessionCard } from "./SessionCard";

const SHOWN = 60;

/** Every session as a card, what waits first. */
export function Overview({ missing }: { missing: boolean }) {
  const sessions = useStore(fleet, (state) => state.sessions);
  const approvals = useStore(fleet, (state) => state.approvals);
  const words = useStore(firstWords);
  const now = useNow();
  const [more, setMore] = useState(1);
  const waiting = useMemo(() => waitingBySession(approvals), [approvals]);
  // The oldest is what it waits for first.
  const first = useMemo(() => new Map(approvals.toReversed().map((approval) => [approval.session_id, approval])), [approvals]);
  return (
    <div className={styles.page}>
      {missing && (
        <p className={styles.missing}>
          <span>
            <Words text="Codex is not there: sessions on it cannot go on. `selvedge doctor` says what to do." />
          </span>
          <Button onClick={() => void demonstrate()}>Try the demonstration</Button>
        </p>
      )}
      {sections(sessions.values(), waiting).map(({ title, sessions }) => (
        <section key={title} aria-label={title}>
          <h2 className={styles.title}>
            {title} <span>{sessions.length}</span>
          </h2>
          <ul className={styles.grid}>
            {sessions.slice(0, SHOWN * more).map((session) => (
              <li key={session.id}>
                <SessionCard session={session} title={titleOf(session, words)} waiting={waiting.get(session.id) ?? 0} asks={first.get(session.id)} now={now} />
              </li>
            ))}
          </ul>
          {sessions.length > SHOWN * more && (
            <Button className={styles.more} onClick={() => setMore(more + 1)}>
              Show more
            </Button>
          )}
        </section>
      ))}
      <Activity />
    </div>
  );
}
