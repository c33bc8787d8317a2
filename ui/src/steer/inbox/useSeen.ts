// What was shown stays until the page is left: a card that somebody else answers says so instead of vanishing under one's hands.
import { useRef } from "react";
import type { PendingApproval } from "../../api/types";
import { fleet } from "../../model/fleet";

export function useSeen(approvals: readonly PendingApproval[]): readonly PendingApproval[] {
  const seen = useRef(new Map<string, PendingApproval>());
  for (const approval of approvals) seen.current.set(approval.approval_id, approval);
  const waiting = new Set(approvals.map((approval) => approval.approval_id));
  const { answered } = fleet.get();
  // Gone without an answer that we know of: nothing can be said about it.
  return [...seen.current.values()].filter(({ approval_id: id }) => waiting.has(id) || answered.has(id));
}
