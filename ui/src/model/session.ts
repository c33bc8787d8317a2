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

/** History is put in as a whole, because each piece of it would cost a rendering; if it takes longer than this, what there is. */
const PATIENCE = 1_000;
/** A page in the background has no frames; it must not collect for ever. */
const MOST_PENDING = 5_000;

export class WatchedSession {
  readonly id: string;
  readonly state = new Cell<Watched>({ conversation: EMPTY, connection: "connecting", refused: undefined });
  /** Who wants the events themselves, and not only what becomes of them; each is told in order, some perhaps twice. */
  readonly listeners = new Set<(events: readonly Event[]) => void>();
  private stop: (() => void) | undefined;
  private expected = false;
  private pending: Event[] = [];
  private frame: number | undefined;
  /** Since when the first of them waits. */
  private since = 0;
  /** The last event that the stream has told. */
  private told = 0;
  /** What comes is live; before that it is history, which is told shortly: numbers may be passed over. */
  private live = false;

  constructor(id: string) {
    this.id = id;
  }

  /** Begins before somebody looks; whoever does first takes it over. */
  expect(): void {
    this.begin();
    this.expected = true;
  }

  /** Follows from where it is; the answer stops it. */
  watch(): () => void {
    if (!this.expected) this.begin();
    this.expected = false;
    return () => {
      this.stop?.();
      this.stop = undefined;
    };
  }

  private begin(): void {
    this.stop?.();
    this.pending = [];
    this.told = this.state.get().conversation.seq;
    this.stop = follow(`/v1/sessions/${encodeURIComponent(this.id)}/events?settled=true`, String(this.told), {
      events: (events) => this.take(events),
      settled: () => {
        this.live = true;
        this.settle();
      },
      connection: (connection, refused) => {
        if (connection !== "live") this.interrupted();
        this.state.update((state) => ({ ...state, connection, refused }));
      },
    });
  }

  /** History is put in when it is whole; from then on events are put in once per frame, however fast they come. */
  private take(events: Event[]): void {
    if (this.pending.length === 0) this.since = performance.now();
    for (const event of events) {
      if (!this.live && event.seq > this.told + 1) event.after = this.told;
      this.told = event.seq;
      this.pending.push(event);
    }
    if (this.live) this.frame ??= requestAnimationFrame(() => this.settle());
    const isEnough = this.live ? this.pending.length > MOST_PENDING : performance.now() - this.since > PATIENCE;
    if (isEnough) this.settle();
  }

  /** What there is does not wait for the rest; the stream tells it from there on, its history first. */
  private interrupted(): void {
    this.live = false;
    this.settle();
  }

  private settle(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (this.pending.length === 0) return;
    const events = this.pending;
    this.pending = [];
    for (const listen of this.listeners) listen(events);
    try {
      this.state.update((state) => ({ ...state, conversation: reduce(state.conversation, events) }));
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      // Something is missing: from the last event that is sure, everything is read again.
      this.begin();
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
