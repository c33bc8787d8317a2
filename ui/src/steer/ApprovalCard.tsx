import type { PendingApproval } from "../api/types";
import { useMoment } from "../lib/moment";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { AskCard } from "./approval/AskCard";
import { FormCard } from "./approval/FormCard";
import { QuestionsCard } from "./approval/QuestionsCard";
import { Resolved } from "./approval/Resolved";
import { fieldsOf } from "../lib/fields";
import { type Change } from "../diff/parse";
import { useIsMine } from "./approval/own";

interface Props {
  approval: PendingApproval;
  /** Set once somebody answered. */
  resolved?: { decision: string; by: string; message?: string } | undefined;
  /** The first one of a view, to which Alt+W goes. */
  first?: boolean;
  /** What a file change would change, where it is known; else it is looked up. */
  changes?: readonly Change[];
}

/** Something Codex asks a person: shown in the conversation, and in the inbox. */
export function ApprovalCard({ approval, resolved, first, changes }: Props) {
  const elsewhere = useStore(fleet, (state) => state.answered.get(approval.approval_id));
  const mine = useIsMine(approval.approval_id);
  const past = useMoment() !== undefined;
  const answered: Props["resolved"] = resolved ?? (past ? undefined : elsewhere);
  if (answered) {
    const { decision, by, message } = answered;
    return (
      <Resolved
        approval={approval.approval_id}
        kind={approval.kind}
        request={fieldsOf(approval.request)}
        decision={decision}
        by={by}
        mine={mine}
        message={message}
      />
    );
  }
  switch (approval.kind) {
    case "user_input":
      return <QuestionsCard approval={approval} first={first} />;
    case "elicitation":
      return <FormCard approval={approval} first={first} />;
    default:
      return <AskCard approval={approval} first={first} changes={changes} />;
  }
}
