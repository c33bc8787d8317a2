// A session as the list knows it, with what newer gateways say in the list too.
import type { GitFacts, PendingApproval, SessionDetail, SessionSummary } from "../api/types";

export type KnownSession = SessionSummary &
  Partial<Pick<SessionDetail, "worktree" | "repository" | "permission_mode" | "approval_policy" | "effort" | "sandbox" | "busy_policy">> & {
    git?: GitFacts | null;
  };

/** The directory that people know it by: a worktree belongs to its repository. */
export const projectOf = (session: KnownSession): string => session.repository ?? session.cwd;

export const branchOf = (session: KnownSession): string | undefined => session.git?.branch ?? session.worktree ?? undefined;

/** How many things wait for a person, by session. */
export function waitingBySession(approvals: readonly PendingApproval[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { session_id } of approvals) counts.set(session_id, (counts.get(session_id) ?? 0) + 1);
  return counts;
}
