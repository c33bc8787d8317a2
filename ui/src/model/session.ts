// One session on the page: its conversation, kept up to date by its stream of events for as long as somebody looks at it.
import { Refused } from "../api/client";
import { type Connection, follow } from "../api/stream";
import type { Event } from "../api/types";
import { type Conversation, EMPTY, Gap, reduce } from "./conversation";
import { Cell } from "./store";

export interface Watched {
  conversation: Conversation;
  connection: Connection;
  /** Why it cannot be followed. */
  refused: Refused | undefined;
}

/** So many events between two frames are no agent that speaks. */
const FLOOD = 200;
const LONGEST_FLOOD = 400;

export class WatchedSession {
  readonly id: string;
  readonly state = new Cell<Watched>({ conversation: EMPTY, connection: "connecting", refused: undefined });
  /** Who wants the events themselves, and not only what becomes of them; each is told in order, some perhaps twice. */
  readonly listeners = new Set<(events: readonly Event[]) => void>();
  private stop: (() => void) | undefined;
  private pending: Event[] = [];
  private frame: number | undefined;
  /** Since when the first of them waits. */
  private since = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Follows from where it is; the answer stops it. */
  watch(): () => void {
    this.stop?.();
    const after = String(this.state.get().conversation.seq);
    this.stop = follow(`/v1/sessions/${encodeURIComponent(this.id)}/events`, after, {
      events: (events) => this.take(events),
      connection: (connection, refused) => this.state.update((state) => ({ ...state, connection, refused })),
    });
    return () => {
      this.stop?.();
      this.stop = undefined;
    };
  }

  /** Events are put in once per frame, however fast they come. */
  private take(events: Event[]): void {
    if (this.pending.length === 0) this.since = performance.now();
    this.pending.push(...events);
    this.frame ??= requestAnimationFrame(() => this.nextFrame(0));
    // A page in the background has no frames; it must not collect for ever.
    if (this.pending.length > 5_000) this.settle();
  }

  /** What comes by the hundreds is history: each piece of it costs a rendering, so it is put in when it pauses, or after a while. */
  private nextFrame(before: number): void {
    const { length } = this.pending;
    const isFlood = length >= FLOOD && length > before && performance.now() - this.since < LONGEST_FLOOD;
    if (isFlood) this.frame = requestAnimationFrame(() => this.nextFrame(length));
    else this.settle();
  }

  private settle(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    const events = this.pending;
    this.pending = [];
    for (const listen of this.listeners) listen(events);
    try {
      this.state.update((state) => ({ ...state, conversation: reduce(state.conversation, events) }));
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      // Something is missing: from the last event that is sure, everything is read again.
      this.watch();
    }
  }
}

const kept = new Map<string, WatchedSession>();
const KEPT = 12;

/** The session, with what is known of it already: going back and forth between sessions reads nothing twice. */
export function watchedSession(id: string): WatchedSession {
  const known = kept.get(id) ?? new WatchedSession(id);
  kept.delete(id);
  kept.set(id, known);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return known;
}
