import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { Virtualizer } from "virtua";
import { useRoute } from "../../lib/route";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { FilterChips } from "../filter/FilterChips";
import { passes } from "../filter/filter";
import { filter } from "../filter/store";
import { type KnownSession, waitingBySession } from "../known";
import { firstWords, titleOf } from "../title";
import { useNow } from "../useNow";
import { matches, projects } from "./groups";
import styles from "./SessionList.module.css";
import { SessionRow } from "./SessionRow";

const VIRTUAL_FROM = 200;

/** Sessions by project, then those that were put away. */
export function SessionList() {
  const sessions = useStore(fleet, (state) => state.sessions);
  const approvals = useStore(fleet, (state) => state.approvals);
  const listed = useStore(fleet, (state) => state.listed);
  const { chosen, query } = useStore(filter);
  const words = useStore(firstWords);
  const route = useRoute();
  const now = useNow();
  const [open, setOpen] = useState(false);
  const waiting = useMemo(() => waitingBySession(approvals), [approvals]);
  const found = useMemo(
    () =>
      [...sessions.values()].filter(
        (session) => passes(session, chosen, waiting.get(session.id) ?? 0) && matches(session, titleOf(session, words), query),
      ),
    [sessions, waiting, words, chosen, query],
  );
  const row = (session: KnownSession) => (
    <SessionRow
      key={session.id}
      session={session}
      title={titleOf(session, words)}
      waiting={waiting.get(session.id) ?? 0}
      current={route.page === "session" && route.id === session.id}
      now={now}
    />
  );
  const away = found.filter((session) => session.archived);
  const lines: ReactNode[] = projects(found.filter((session) => !session.archived)).flatMap((project) => [
    <h2 key={project.path} className={styles.project} title={project.path}>
      {project.name}
    </h2>,
    ...project.sessions.map(row),
  ]);
  const unfolded = open || query !== "" || chosen.archived !== undefined;
  if (away.length > 0) {
    lines.push(
      <button key="archived" type="button" className={styles.archived} aria-expanded={unfolded} onClick={() => setOpen(!open)}>
        <ChevronRight size={13} aria-hidden /> Archived <span>{away.length}</span>
      </button>,
    );
    if (unfolded) lines.push(...projects(away).flatMap((project) => project.sessions.map(row)));
  }
  return (
    <>
      {listed && <FilterChips shown={found.length} all={sessions.size} />}
      <div className={styles.scroll} onKeyDown={walk}>
        {sessions.size === 0 && listed && <p className={styles.none}>No sessions yet.</p>}
        {lines.length > VIRTUAL_FROM ? (
          <Virtualizer as="ul" item="li">
            {lines}
          </Virtualizer>
        ) : (
          <ul className={styles.list}>
            {lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** Arrow keys go from one session to the next; Enter opens it, as with any link. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row === document.activeElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  rows[at + step]?.focus();
}
