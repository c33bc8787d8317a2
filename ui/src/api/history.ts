// A session's events from the past, in pages: the gateway gives a thousand at once.
import { ask } from "./client";
import type { Event } from "./types";

export interface HistoryPage {
  events: Event[];
  /** The session's last event when the page was made. */
  last_seq: number;
}

/** Every event after the given one, as the gateway has it. */
export async function* history(id: string, after = 0, signal?: AbortSignal): AsyncGenerator<HistoryPage> {
  for (let at = after; ; ) {
    const path = `/v1/sessions/${encodeURIComponent(id)}/events?after=${at}`;
    const page = await ask<HistoryPage>("GET", path, signal ? { signal } : {});
    yield page;
    at = page.events.at(-1)?.seq ?? page.last_seq;
    if (at >= page.last_seq) return;
  }
}
