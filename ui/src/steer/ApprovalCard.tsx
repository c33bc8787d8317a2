import type { PendingApproval } from "../api/types";

interface Props {
  approval: PendingApproval;
  /** Set once somebody answered. */
  resolved?: { decision: string; by: string; message?: string } | undefined;
  /** The first one takes the keyboard. */
  first?: boolean;
}

/** Something Codex asks a person: shown in the conversation, and in the inbox. */
export function ApprovalCard({ approval }: Props) {
  return <div>{approval.kind}</div>;
}
