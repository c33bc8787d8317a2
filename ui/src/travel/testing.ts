// What the tests of this part share: the events of one real run, and time that passes when it is told to.
import { expect, vi } from "vitest";
import type { Event } from "../api/types";
import { WatchedSession } from "../model/session";
import { gateway } from "../steer/testing";
import type { Clock } from "./playing";
import recorded from "./recorded.json";
import { Travel } from "./travel";

/** A tour with approvals, a declined command, a queue, and a turn that was interrupted. */
export const EVENTS = recorded as unknown as Event[];

export const seqOf = (type: Event["type"], which = 0): number => EVENTS.filter((event) => event.type === type)[which]?.seq ?? 0;

export class FakeClock implements Clock {
  private time = 0;
  private frame: (() => void) | undefined;

  now(): number {
    return this.time;
  }

  each(frame: () => void): () => void {
    this.frame = frame;
    return () => (this.frame = undefined);
  }

  get runs(): boolean {
    return this.frame !== undefined;
  }

  /** Some milliseconds, in frames. */
  pass(milliseconds: number): void {
    for (let left = milliseconds; left > 0; left -= 20) {
      this.time += Math.min(left, 20);
      this.frame?.();
    }
  }
}

/** A gateway that has the first `there` events, in pages of `size`. */
export function recordedGateway(there = EVENTS.length, size = 100) {
  return gateway(({ path }) => {
    const after = Number(new URL(path, "http://gateway").searchParams.get("after"));
    return { body: { events: EVENTS.slice(after, Math.min(after + size, there)), last_seq: there } };
  });
}

/** A journey that has read everything its gateway has. */
export async function travelled(at: number, clock = new FakeClock()) {
  const session = new WatchedSession("s");
  const travel = new Travel(session, at, clock);
  const end = travel.begin();
  await vi.waitFor(() => expect(travel.state.get().reading).toBe(false), { interval: 1 });
  return { session, travel, clock, end, now: () => travel.state.get() };
}
