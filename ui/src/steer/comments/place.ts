// In which diff a comment stands: in everything the session changed, or in one change of the agent.
import type { PendingApproval } from "../../api/types";
import { fieldsOf, textOf } from "../../lib/fields";
import type { Conversation } from "../../model/conversation";
import { keyOfItem } from "../../model/entry";

export const CHANGES = "changes";

/** What is asked about a change has the place of the change: its comments stay when it is accepted. */
export function placeOfApproval({ approval_id: id, turn_id: turn, request }: Pick<PendingApproval, "approval_id" | "turn_id" | "request">): string {
  const item = textOf(fieldsOf(request)["itemId"]);
  return item ? keyOfItem(turn ?? undefined, item) : `approval:${id}`;
}

/** The places that wait for an answer: what is said there goes with the answer. */
export function waitingPlaces({ waiting, entries }: Pick<Conversation, "waiting" | "entries">): ReadonlySet<string> {
  return new Set(
    waiting.flatMap((id) => {
      const entry = entries.get(`approval:${id}`);
      if (entry?.kind !== "approval" || entry.approvalKind !== "file_change") return [];
      return [placeOfApproval({ approval_id: id, turn_id: entry.turnId ?? null, request: entry.request })];
    }),
  );
}
