import { useEffect, useRef } from "react";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { cards, isTyping } from "./approval/focus";
import { Empty } from "./inbox/Empty";
import { NotifyButton } from "./inbox/NotifyButton";
import { SessionGroup } from "./inbox/SessionGroup";
import { grouped } from "./inbox/grouped";
import { useSeen } from "./inbox/useSeen";
import styles from "./Inbox.module.css";

/** Everything that waits for a person, in all sessions. */
export function Inbox() {
  const approvals = useStore(fleet, (state) => state.approvals);
  const listed = useStore(fleet, (state) => state.listed);
  const shown = useSeen(approvals);
  const title = useRef<HTMLParagraphElement>(null);
  const begun = useRef(false);
  useMoving();
  useEffect(() => {
    if (begun.current || !listed) return;
    begun.current = true;
    if (document.activeElement === document.body) (cards()[0] ?? title.current)?.focus({ preventScroll: true });
  }, [listed]);
  return (
    <div className={styles.page}>
      <div className={styles.inbox}>
        <header className={styles.head}>
          <p ref={title} tabIndex={-1} data-inbox-title className={styles.count}>
            {listed ? words(approvals.length) : null}
          </p>
          <NotifyButton />
        </header>
        {listed && approvals.length === 0 ? <Empty /> : null}
        {grouped(shown).map(([session, asked]) => (
          <SessionGroup key={session} sessionId={session} approvals={asked} first={approvals[0]?.approval_id} />
        ))}
      </div>
    </div>
  );
}

const words = (count: number): string => (count === 1 ? "One thing waits for you" : count === 0 ? "Nothing waits" : `${count} things wait for you`);

/** `j` and `k` go from card to card. */
function useMoving(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const by = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (by === 0) return;
      const all = cards();
      const here = all.findIndex((card) => card.contains(document.activeElement));
      const next = here < 0 ? 0 : here + by;
      all[next]?.focus();
      all[next]?.scrollIntoView({ block: "nearest" });
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
