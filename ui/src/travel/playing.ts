// How far a replay comes in a length of time: as fast as it happened, but nobody waits long for nothing.
import type { Recording } from "./recording";

export const SPEEDS = [1, 2, 5, 10, 50] as const;
export type Speed = (typeof SPEEDS)[number];

const LONGEST_PAUSE = 2_000;

export interface Reached {
  seq: number;
  /** Time that did not suffice for one more event. */
  left: number;
}

/** From an event on, with so many milliseconds of the session's own time. */
export function advance(recording: Recording, from: number, time: number): Reached {
  let seq = from;
  let left = time;
  while (seq < recording.last) {
    const pause = pauseAfter(recording, seq);
    if (pause > left) break;
    left -= pause;
    seq += 1;
  }
  return { seq, left: seq < recording.last ? left : 0 };
}

function pauseAfter(recording: Recording, seq: number): number {
  const [now, next] = [recording.event(seq), recording.event(seq + 1)];
  if (!now || !next) return 0;
  return Math.min(Math.max(Date.parse(next.at) - Date.parse(now.at), 0), LONGEST_PAUSE);
}

/** The last whole step: who wants no motion sees answers appear, and not letter by letter. */
export function wholeStep(recording: Recording, from: number, to: number): number {
  let seq = to;
  while (seq > from && seq < recording.last && recording.event(seq)?.type === "item.delta") seq -= 1;
  return seq;
}

/** What drives a replay: real time, and a call before each picture. */
export interface Clock {
  now(): number;
  /** Until the answer is called. */
  each(frame: () => void): () => void;
}

export const FRAMES: Clock = {
  now: () => performance.now(),
  each(frame) {
    let handle = 0;
    const again = () => {
      handle = requestAnimationFrame(again);
      frame();
    };
    handle = requestAnimationFrame(again);
    return () => cancelAnimationFrame(handle);
  },
};
