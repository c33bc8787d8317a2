import { Folder, GitBranch } from "lucide-react";
import { memo } from "react";
import { ago, count, dollars, lastPart } from "../../lib/format";
import { Link } from "../../parts/Link";
import { GLANCE_WORDS, glance, StateDot } from "../../parts/StateDot";
import { branchOf, type KnownSession, projectOf } from "../known";
import styles from "./SessionCard.module.css";

interface Props {
  session: KnownSession;
  title: string;
  waiting: number;
  now: number;
}

export const SessionCard = memo(function SessionCard({ session, title, waiting, now }: Props) {
  const branch = branchOf(session);
  const seen = glance(session.state, waiting);
  return (
    <Link to={{ page: "session", id: session.id, view: "talk" }} className={styles.card} data-state={seen}>
      <span className={styles.head}>
        <StateDot state={session.state} asks={waiting} />
        <span className={styles.title} title={title}>
          {title}
        </span>
      </span>
      <span className={styles.line}>
        <span className={styles.fact} title={session.cwd}>
          <Folder size={12} aria-hidden /> {lastPart(projectOf(session))}
        </span>
        {branch && (
          <span className={styles.fact} title={branch}>
            <GitBranch size={12} aria-hidden /> {branch}
          </span>
        )}
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
