// The first thing that was said in a conversation: what a session without a name is called by.
import type { Conversation } from "../model/conversation";

const LOOKED_AT = 20;

export function firstMessage({ order, entries }: Conversation): string | undefined {
  for (const key of order.slice(0, LOOKED_AT)) {
    const entry = entries.get(key);
    if (entry?.kind !== "message") continue;
    const text = entry.input.find((part) => part.type === "text");
    if (text?.type === "text" && text.text.trim()) return text.text;
  }
  return undefined;
}
