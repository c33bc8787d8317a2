import { useContext, useMemo } from "react";
import type { PendingApproval } from "../../api/types";
import { changesOf } from "../../diff/parse";
import { type ApprovalEntry, keyOfItem } from "../../model/entry";
import { ApprovalCard } from "../../steer/ApprovalCard";
import { EntriesContext, usePlace } from "../context";

/** Something Codex asks a person, in its place. */
export function Approval({ entry }: { entry: ApprovalEntry }) {
  const { sessionId } = usePlace();
  const { approvalId, approvalKind, request, at, turnId, itemId, resolved } = entry;
  const approval = useMemo<PendingApproval>(
    () => ({ approval_id: approvalId, kind: approvalKind, request, at, session_id: sessionId, turn_id: turnId ?? null }),
    [approvalId, approvalKind, request, at, sessionId, turnId],
  );
  // Codex asks about files without saying what it would change: that stands in the item, which is here already.
  const about = useContext(EntriesContext).get(keyOfItem(turnId, itemId ?? ""));
  const item = about?.kind === "item" ? about.item : undefined;
  const changes = useMemo(() => (item ? changesOf(item) : []), [item]);
  return <ApprovalCard approval={approval} resolved={resolved} {...(changes.length > 0 ? { changes } : {})} />;
}
