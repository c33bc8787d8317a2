// What came before a fork. Its own journal begins where it was made; the rest stands in the journal of the session that it was
// made from, and perhaps in that one's past.
import { Refused, ask } from "../api/client";
import { history } from "../api/history";
import type { Event, SessionDetail, Settings } from "../api/types";
import { type Conversation, EMPTY, reduce } from "./conversation";

export type ForkedFrom = NonNullable<Settings["forked_from"]>;

/** What was taken over from one session. */
export interface Past {
  sessionId: string;
  /** When it was. */
  at: string;
  /** Nothing if the session is gone. */
  conversation: Conversation | undefined;
}

/** What a fork took over, the oldest first; nothing for a session that is no fork. */
export async function pastOf(id: string): Promise<Past[]> {
  const { forked_from: from, created_at: at } = await ask<SessionDetail>("GET", `/v1/sessions/${encodeURIComponent(id)}`);
  if (!from) return [];
  const sessionId = from.session_id;
  try {
    const [earlier, conversation] = await Promise.all([pastOf(sessionId), conversationUntil(from, at)]);
    return [...earlier, { sessionId, at, conversation }];
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return [{ sessionId, at, conversation: undefined }];
    throw error;
  }
}

async function conversationUntil(from: ForkedFrom, at: string): Promise<Conversation> {
  const taken: Event[] = [];
  let over = false;
  for await (const { events } of history(from.session_id)) {
    for (const event of events) {
      // Without a turn, everything was taken over that was there; else its messages end right after it.
      if (from.turn_id ? over && event.type !== "message.finished" : event.at > at) return reduce(EMPTY, taken);
      taken.push(event);
      over ||= event.type === "turn.completed" && event.turn_id === from.turn_id;
    }
  }
  return reduce(EMPTY, taken);
}
