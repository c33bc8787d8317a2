import { useEffect, useRef, useState } from "react";
import type { Conversation } from "../model/conversation";
import { textOf } from "../lib/fields";

/** Says what the agent answered, for who listens instead of looking: whole answers, never their pieces. */
export function Announcer({ conversation }: { conversation: Conversation }) {
  const [said, say] = useState("");
  const from = useRef(conversation.order.length);
  const { order, entries, runningTurn } = conversation;
  useEffect(() => {
    if (runningTurn !== undefined) return;
    const last = order
      .slice(from.current)
      .map((key) => entries.get(key))
      .findLast((entry) => entry?.kind === "item" && entry.item.type === "agentMessage");
    from.current = order.length;
    if (last?.kind === "item") say(`Agent: ${(textOf(last.item["text"]) ?? "").slice(0, 500)}`);
  }, [order, entries, runningTurn]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {said}
    </p>
  );
}
