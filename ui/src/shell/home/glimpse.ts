// What a session does, or why it failed, in a few words: read from the last of its events.
import { readReason } from "../../lib/reason";
import type { Event } from "../../api/types";
import { doingOf } from "../../conversation/doing";
import type { CodexItem } from "../../model/entry";

export interface Glimpse {
  words: string;
  /** A command or a name, shown as code. */
  what?: string;
}

/** Nothing if these events do not say. */
export function glimpseOf(events: readonly Event[]): Glimpse | undefined {
  const open = new Map<string, CodexItem>();
  let said: string | undefined;
  let failed: string | undefined;
  for (const event of events) {
    switch (event.type) {
      case "message.accepted":
        said = event.data.input.flatMap((part) => (part.type === "text" ? [part.text] : []))[0] ?? said;
        break;
      case "item.started":
        // A sub-agent's are its own.
        if (event.item_id && !event.thread_id) open.set(event.item_id, event.data.item as CodexItem);
        break;
      case "item.completed":
        if (event.item_id) open.delete(event.item_id);
        break;
      case "turn.completed":
        open.clear();
        break;
      case "message.finished":
        failed = event.data.error?.message ?? failed;
        break;
      case "session.state":
        failed = event.data.state === "failed" ? (event.data.reason ? readReason(event.data.reason).words : failed) : undefined;
        break;
    }
  }
  if (failed) return { words: failed };
  const item = [...open.values()].at(-1);
  if (item) return doingOf(item);
  return said ? { words: said } : undefined;
}
