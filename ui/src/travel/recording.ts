// A session's events, and the conversation as it stood after each of them: the page's one reducer, stopped there.
import type { Event } from "../api/types";
import { type Conversation, EMPTY, reduce } from "../model/conversation";
import { Checkpoints } from "./checkpoints";
import { type EventMark, markOf } from "./marks";

export class Recording {
  /** The first is number 1. */
  private readonly events: Event[] = [];
  private readonly checkpoints = new Checkpoints();
  /** Where the reader was: one step on from there is one event. */
  private latest: Conversation = EMPTY;
  private found: EventMark[] = [];

  get last(): number {
    return this.events.length;
  }

  /** Turns, approvals and failures, in their order; another list when there are more. */
  get marks(): readonly EventMark[] {
    return this.found;
  }

  event(seq: number): Event | undefined {
    return this.events[seq - 1];
  }

  /** Takes what comes next and passes over what it has. False: something is missing in between. */
  add(events: readonly Event[]): boolean {
    const fresh: EventMark[] = [];
    let whole = true;
    for (const event of events) {
      if (event.seq <= this.last) continue;
      // One that stands for several lacks the others.
      whole = event.seq === this.last + 1 && event.began === undefined;
      if (!whole) break;
      this.events.push(event);
      const kind = markOf(event);
      if (kind) fresh.push({ seq: event.seq, kind });
    }
    if (fresh.length > 0) this.found = [...this.found, ...fresh];
    return whole;
  }

  /** The conversation after this event, or after the last one there is. */
  at(seq: number): Conversation {
    const wanted = Math.min(seq, this.last);
    let state = this.checkpoints.before(wanted);
    if (this.latest.seq > state.seq && this.latest.seq <= wanted) state = this.latest;
    while (state.seq < wanted) {
      const stop = Math.min(wanted, this.checkpoints.after(state.seq));
      state = reduce(state, this.events.slice(state.seq, stop));
      this.checkpoints.offer(state);
    }
    this.latest = state;
    return state;
  }
}
