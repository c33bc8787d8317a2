// What is worth a mark on the slider: where turns began, where a person was asked, where something failed.
import type { Event } from "../api/types";

export type MarkKind = "turn" | "approval" | "failure";

export interface EventMark {
  seq: number;
  kind: MarkKind;
}

export function markOf(event: Event): MarkKind | undefined {
  switch (event.type) {
    case "turn.started":
      return event.thread_id === undefined ? "turn" : undefined;
    case "approval.requested":
      return "approval";
    case "turn.completed":
      return event.data.status === "failed" || event.data.status === "lost" ? "failure" : undefined;
    case "message.finished":
      return event.data.status === "failed" || event.data.status === "lost" ? "failure" : undefined;
    case "session.state":
      return event.data.state === "failed" ? "failure" : undefined;
    case "codex.exited":
      return "failure";
    default:
      return undefined;
  }
}

const WEIGHT: Record<MarkKind, number> = { turn: 0, approval: 1, failure: 2 };

/** No more marks than there are places for; where several fall together the gravest is seen. */
export function thinned(marks: readonly EventMark[], last: number, places = 240): EventMark[] {
  const seen = new Map<number, EventMark>();
  for (const mark of marks) {
    const place = Math.round(portion(mark.seq, last) * places);
    const other = seen.get(place);
    if (!other || WEIGHT[mark.kind] > WEIGHT[other.kind]) seen.set(place, mark);
  }
  return [...seen.values()];
}

/** How far along the slider an event stands, from 0 to 1. */
export const portion = (seq: number, last: number): number => (last > 1 ? (seq - 1) / (last - 1) : 0);

/** The turn before or after an event; where there is none, the first event or the last. */
export function turnFrom(marks: readonly EventMark[], seq: number, direction: 1 | -1, last: number): number {
  const turns = marks.filter(({ kind }) => kind === "turn");
  if (direction > 0) return turns.find((turn) => turn.seq > seq)?.seq ?? last;
  return turns.findLast((turn) => turn.seq < seq)?.seq ?? 1;
}

/** Which turn an event belongs to, counted from 1, and how many there are. */
export function turnAt(marks: readonly EventMark[], seq: number): { turn: number; turns: number } {
  const turns = marks.filter(({ kind }) => kind === "turn");
  return { turn: turns.filter((turn) => turn.seq <= seq).length, turns: turns.length };
}
