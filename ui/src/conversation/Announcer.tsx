import { useEffect, useRef, useState } from "react";
import type { Conversation } from "../model/conversation";
import { answers } from "./answers";

/** Says what the agent answered, for who listens instead of looking: whole answers, never their pieces, and nothing of the past. */
export function Announcer({ conversation }: { conversation: Conversation }) {
  const [said, say] = useState("");
  const open = useRef<ReadonlySet<string>>(new Set());
  const { order, entries } = conversation;
  useEffect(() => {
    const { whole, growing } = answers(open.current, { order, entries });
    open.current = growing;
    const last = whole.at(-1);
    if (last !== undefined) say(`Agent: ${last}`);
  }, [order, entries]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {said}
    </p>
  );
}
