import { useMemo } from "react";
import type { PendingApproval } from "../../api/types";
import type { ApprovalEntry } from "../../model/entry";
import { ApprovalCard } from "../../steer/ApprovalCard";
import { usePlace } from "../context";

/** Something Codex asks a person, in its place. */
export function Approval({ entry }: { entry: ApprovalEntry }) {
  const { sessionId } = usePlace();
  const { approvalId, approvalKind, request, at, turnId, resolved } = entry;
  const approval = useMemo<PendingApproval>(
    () => ({ approval_id: approvalId, kind: approvalKind, request, at, session_id: sessionId, turn_id: turnId ?? null }),
    [approvalId, approvalKind, request, at, sessionId, turnId],
  );
  return <ApprovalCard approval={approval} resolved={resolved} />;
}
