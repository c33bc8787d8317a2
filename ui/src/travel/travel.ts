// A reader's journey through one session: which event they stand at, what the session looked like there, and the replay. The
// session itself is followed on meanwhile; what comes makes the journey longer and never moves the reader.
import { Refused, Unreachable } from "../api/client";
import { history } from "../api/history";
import type { Event } from "../api/types";
import type { Conversation } from "../model/conversation";
import type { WatchedSession } from "../model/session";
import { Cell } from "../model/store";
import { type EventMark, turnFrom } from "./marks";
import { advance, type Clock, FRAMES, type Speed, wholeStep } from "./playing";
import { Recording } from "./recording";

export interface Travelled {
  /** Where the reader wants to be; there may be no such event. */
  seq: number;
  event: Event | undefined;
  /** As it stood then; nothing until the event is there. */
  conversation: Conversation | undefined;
  /** How many events were read, of how many that are known of. */
  last: number;
  known: number;
  marks: readonly EventMark[];
  reading: boolean;
  problem: { message: string; hint: string } | undefined;
  playing: boolean;
  speed: Speed;
}

/** A page in the background has no frames: what it missed is not caught up with. */
const LONGEST_FRAME = 250;
/** At a high speed a step brings more than a screen: the list needs these frames to draw it before the next one. */
const FRAMES_OF_A_STEP = 4;
const HIGH_SPEED = 10;

export class Travel {
  readonly state: Cell<Travelled>;
  private readonly session: WatchedSession;
  private readonly clock: Clock;
  private readonly recording = new Recording();
  private stopped = new AbortController();
  private pausing: (() => void) | undefined;

  constructor(session: WatchedSession, at: number, clock = FRAMES) {
    this.session = session;
    this.clock = clock;
    const nothing = { event: undefined, conversation: undefined, last: 0, known: 0, marks: [], problem: undefined };
    this.state = new Cell<Travelled>({ seq: at, ...nothing, reading: true, playing: false, speed: 1 });
  }

  /** Reads what happened and listens to what happens; the answer ends it. */
  begin(): () => void {
    this.stopped = new AbortController();
    const heard = (events: readonly Event[]) => this.hear(events);
    this.session.listeners.add(heard);
    void this.read();
    return () => {
      this.session.listeners.delete(heard);
      this.pause();
      this.stopped.abort();
    };
  }

  /** Again, after it could not be read. */
  readonly read = async (): Promise<void> => {
    const { signal } = this.stopped;
    this.put({ reading: true, problem: undefined });
    try {
      let before: number;
      do {
        before = this.recording.last;
        for await (const page of history(this.session.id, this.recording.last, signal)) {
          this.recording.add(page.events);
          this.put({ known: Math.max(this.state.get().known, page.last_seq) });
        }
        // Some may have come meanwhile.
      } while (this.recording.last > before && this.recording.last < this.state.get().known);
      this.put({ reading: false });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.put({ reading: false, problem: { message: error.message, hint: error.hint ?? "try again" } });
    }
  };

  readonly goTo = (seq: number): void => this.put({ seq: Math.max(1, seq) });

  readonly step = (by: 1 | -1): void => {
    this.pause();
    const { seq, last } = this.state.get();
    this.goTo(Math.min(seq + by, last));
  };

  readonly turn = (direction: 1 | -1): void => {
    this.pause();
    const { seq, last, marks } = this.state.get();
    this.goTo(turnFrom(marks, seq, direction, last));
  };

  readonly setSpeed = (speed: Speed): void => this.put({ speed });

  readonly toggle = (): void => (this.state.get().playing ? this.pause() : this.play());

  /** From where the reader stands; from the end, all of it again. */
  play(): void {
    const { seq, last, playing } = this.state.get();
    if (playing || last === 0) return;
    this.put({ playing: true, ...(seq >= last ? { seq: 1 } : {}) });
    const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
    let before = this.clock.now();
    let reached = this.state.get().seq;
    let shown = reached;
    let left = 0;
    let frame = 0;
    this.pausing = this.clock.each(() => {
      const { seq, speed } = this.state.get();
      frame += 1;
      if (speed >= HIGH_SPEED && frame % FRAMES_OF_A_STEP !== 0) return;
      // Somebody moved the slider: it goes on from there.
      if (seq !== shown) [reached, left] = [seq, 0];
      const now = this.clock.now();
      left += Math.min(now - before, LONGEST_FRAME) * speed;
      before = now;
      ({ seq: reached, left } = advance(this.recording, reached, left));
      shown = calm ? wholeStep(this.recording, seq, reached) : reached;
      if (shown !== seq) this.goTo(shown);
      if (reached >= this.recording.last) this.pause();
    });
  }

  pause(): void {
    this.pausing?.();
    this.pausing = undefined;
    if (this.state.get().playing) this.put({ playing: false });
  }

  private hear(events: readonly Event[]): void {
    const whole = this.recording.add(events);
    const heard = events.at(-1)?.seq ?? 0;
    const { known, reading, problem } = this.state.get();
    this.put({ known: Math.max(known, heard) });
    if (!whole && !reading && !problem) void this.read();
  }

  /** Changes something; what follows from it is always said with it. */
  private put(change: Partial<Travelled>): void {
    this.state.update((before) => {
      const { last, marks } = this.recording;
      const next = { ...before, ...change, last, marks };
      const there = next.seq <= last;
      next.known = Math.max(next.known, last);
      next.event = this.recording.event(next.seq);
      next.conversation = there ? (before.conversation?.seq === next.seq ? before.conversation : this.recording.at(next.seq)) : undefined;
      return next;
    });
  }
}
