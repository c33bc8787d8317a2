// What waits now and did not before. What was there when the page was opened is no news.
import type { PendingApproval } from "../../api/types";

export interface News {
  fresh: PendingApproval[];
  gone: string[];
  ids: ReadonlySet<string>;
}

export function newcomers(known: ReadonlySet<string> | undefined, approvals: readonly PendingApproval[]): News {
  const ids = new Set(approvals.map((approval) => approval.approval_id));
  const fresh = known ? approvals.filter((approval) => !known.has(approval.approval_id)) : [];
  const gone = [...(known ?? [])].filter((id) => !ids.has(id));
  return { fresh, gone, ids };
}
