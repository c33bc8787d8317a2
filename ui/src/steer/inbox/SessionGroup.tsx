import type { PendingApproval } from "../../api/types";
import { lastPart } from "../../lib/format";
import { address, go } from "../../lib/route";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { StateDot } from "../../parts/StateDot";
import { ApprovalCard } from "../ApprovalCard";
import styles from "./SessionGroup.module.css";

interface Props {
  sessionId: string;
  approvals: readonly PendingApproval[];
  /** The oldest of all. */
  first: string | undefined;
}

/** What one session asks. */
export function SessionGroup({ sessionId, approvals, first }: Props) {
  const session = useStore(fleet, (state) => state.sessions.get(sessionId));
  const to = { page: "session", id: sessionId, view: "talk" } as const;
  const name = session?.name ?? (session ? lastPart(session.cwd) : "Session");
  return (
    <div role="group" className={styles.group} aria-label={name}>
      <h2 className={styles.head}>
        {session ? <StateDot state={session.state} /> : null}
        <a
          href={address(to)}
          className={styles.name}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            go(to);
          }}
        >
          {name}
        </a>
        {session ? <span className={styles.where}>{session.cwd}</span> : null}
      </h2>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.approval_id} approval={approval} first={approval.approval_id === first} />
      ))}
    </div>
  );
}
