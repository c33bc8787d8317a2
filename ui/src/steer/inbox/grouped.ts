// Questions by session: the session that has waited longest first, and in it the oldest question first.
import type { PendingApproval } from "../../api/types";

export function grouped(approvals: readonly PendingApproval[]): [session: string, PendingApproval[]][] {
  const sessions = new Map<string, PendingApproval[]>();
  for (const approval of approvals.toSorted((one, other) => one.at.localeCompare(other.at))) {
    const known = sessions.get(approval.session_id);
    if (known) known.push(approval);
    else sessions.set(approval.session_id, [approval]);
  }
  return [...sessions];
}
