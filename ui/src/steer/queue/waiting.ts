// The messages that wait for their turn, in their order.
import type { Conversation } from "../../model/conversation";
import type { MessageEntry } from "../../model/entry";

export const waitingMessages = ({ queue, entries }: Conversation): MessageEntry[] =>
  queue.flatMap((id): MessageEntry[] => {
    const entry = entries.get(`message:${id}`);
    return entry?.kind === "message" ? [entry] : [];
  });
