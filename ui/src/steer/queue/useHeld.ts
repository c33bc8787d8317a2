// Whether the session waits until somebody says go on, and why. No event says that the queue is held: the session is asked when
// messages wait although nothing runs.
import { useEffect } from "react";
import type { Conversation } from "../../model/conversation";
import { fleet, refresh } from "../../model/fleet";
import { useStore } from "../../model/store";
import { isBusy } from "../composer/busy";

export type Held = { why: "lost" | "failed" | "stopped"; reason: string | undefined };

export function useHeld(session: string, conversation: Conversation): Held | undefined {
  const held = useStore(fleet, (state) => state.sessions.get(session)?.held ?? false);
  const { lifecycle, reason } = conversation;
  const stuck = conversation.queue.length > 0 && !isBusy(conversation);
  useEffect(() => {
    if (stuck) void refresh(session);
  }, [session, stuck, lifecycle]);
  if (lifecycle === "failed" || lifecycle === "stopped") return { why: lifecycle, reason };
  return stuck && held ? { why: "lost", reason: undefined } : undefined;
}
