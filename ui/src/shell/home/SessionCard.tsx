import { Folder, GitBranch } from "lucide-react";
import { memo } from "react";
import type { PendingApproval } from "../../api/types";
import { innerCommand } from "../../conversation/terminal/command";
import { fieldsOf } from "../../lib/fields";
import { ago, count, dollars, lastPart } from "../../lib/format";
import { Link } from "../../parts/Link";
import { GLANCE_WORDS, glance, StateDot } from "../../parts/StateDot";
import { gist } from "../../steer/approval/words";
import { branchOf, type KnownSession, projectOf } from "../known";
import { LabelChips } from "../labels/LabelChips";
import styles from "./SessionCard.module.css";
import { useGlimpse } from "./useGlimpse";

interface Props {
  session: KnownSession;
  title: string;
  waiting: number;
  /** What it asks first. */
  asks: PendingApproval | undefined;
  now: number;
}

/** One session, with what it asks, does or failed at. */
export const SessionCard = memo(function SessionCard({ session, title, waiting, asks, now }: Props) {
  const branch = branchOf(session);
  const seen = glance(session.state, waiting);
  const glimpse = useGlimpse(session.id, session.last_seq, seen === "working" || seen === "failed");
  return (
    <Link to={{ page: "session", id: session.id, view: "talk" }} className={styles.card} data-state={seen}>
      <span className={styles.head}>
        <StateDot state={session.state} asks={waiting} />
        <span className={styles.title} title={title}>
          {title}
        </span>
      </span>
      {asks && (
        <span className={styles.now}>
          {asks.kind === "command" ? <code>{innerCommand(gist(asks.kind, fieldsOf(asks.request)))}</code> : capital(gist(asks.kind, fieldsOf(asks.request)))}
        </span>
      )}
      {!asks && glimpse && (
        <span className={styles.now}>
          {glimpse.words} {glimpse.what && <code>{glimpse.what}</code>}
        </span>
      )}
      <span className={styles.line}>
        <span className={styles.fact} title={session.cwd}>
          <Folder size={12} aria-hidden /> {lastPart(projectOf(session))}
        </span>
        {branch && (
          <span className={styles.fact} title={branch}>
            <GitBranch size={12} aria-hidden /> {branch}
          </span>
        )}
        <LabelChips labels={session.labels} />
      </span>
      <span className={styles.line}>
        <span className={styles.state}>{waiting > 1 ? `${waiting} wait for you` : session.held ? "Queue is held" : GLANCE_WORDS[seen]}</span>
        <span className={styles.gap} />
        {session.usage.total > 0 && <span>{count(session.usage.total)} tokens</span>}
        {session.cost_usd ? <span>{dollars(session.cost_usd)}</span> : null}
        <time dateTime={session.updated_at}>{ago(session.updated_at, now)}</time>
      </span>
    </Link>
  );
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
