// The comments on something that waits for an answer: a no says them.
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { isSaid, remove, useComments } from "./comments";
import { asMessage } from "./message";

export interface Remarks {
  count: number;
  text: string;
  /** They were said. */
  sent(): void;
}

export function useRemarks(session: string, place: string): Remarks | undefined {
  const those = useComments(session).filter((comment) => comment.where === place && isSaid(comment));
  const cwd = useStore(fleet, (state) => state.sessions.get(session)?.cwd);
  if (those.length === 0) return undefined;
  return { count: those.length, text: asMessage(those, cwd), sent: () => remove(session, those.map(({ id }) => id)) };
}
