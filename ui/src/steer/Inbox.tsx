import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { ApprovalCard } from "./ApprovalCard";

/** Everything that waits for a person, in all sessions. */
export function Inbox() {
  const approvals = useStore(fleet, (state) => state.approvals);
  return (
    <section aria-label="Inbox">
      {approvals.map((approval) => (
        <ApprovalCard key={approval.approval_id} approval={approval} />
      ))}
    </section>
  );
}
