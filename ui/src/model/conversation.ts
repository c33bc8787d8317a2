// The one reducer: live, after a reload and in replay a conversation is made of the same events by this function. State goes by
// sequence number: what was seen is not seen twice, and a gap is an error that the caller meets by reading again. Of history one
// event may stand for several: it fits only right after what it follows.
import type { Event, FileDiff, Lifecycle, Settings, Usage } from "../api/types";
import type { Entry } from "./entry";
import { Draft } from "./draft";
import { apply } from "./apply";

export interface Turn {
  id: string;
  startedAt: string;
  completedAt?: string;
  status?: "completed" | "failed" | "interrupted" | "lost";
  durationMs?: number;
  usage?: Usage;
  /** What it added to the session's cost, as far as prices are known. */
  costUsd?: number;
  messageIds: string[];
}

export interface Conversation {
  /** The last event that is in here. */
  seq: number;
  /** Keys of what stands at the top level, in order. */
  order: readonly string[];
  entries: ReadonlyMap<string, Entry>;
  /** Message ids that wait, in their order. */
  queue: readonly string[];
  /** Approval ids that wait for a person, oldest first. */
  waiting: readonly string[];
  turns: ReadonlyMap<string, Turn>;
  runningTurn: string | undefined;
  lifecycle: Lifecycle;
  reason: string | undefined;
  settings: Settings | undefined;
  usage: Usage | undefined;
  costUsd: number | undefined;
  contextUsedPercent: number | undefined;
  contextWindow: number | undefined;
  changed: readonly FileDiff[];
  removed: boolean;
}

export const EMPTY: Conversation = {
  seq: 0,
  order: [],
  entries: new Map(),
  queue: [],
  waiting: [],
  turns: new Map(),
  runningTurn: undefined,
  lifecycle: "starting",
  reason: undefined,
  settings: undefined,
  usage: undefined,
  costUsd: undefined,
  contextUsedPercent: undefined,
  contextWindow: undefined,
  changed: [],
  removed: false,
};

/** An event is missing between what is known and what came. */
export class Gap extends Error {
  constructor(known: number, came: number) {
    super(`event ${came} came after ${known}`);
    this.name = "Gap";
  }
}

/** The conversation after these events. What did not change is the same object as before. */
export function reduce(before: Conversation, events: readonly Event[]): Conversation {
  const draft = new Draft(before);
  for (const event of events) {
    if (event.seq <= draft.seq) continue;
    if ((event.after ?? event.seq - 1) !== draft.seq) throw new Gap(draft.seq, event.seq);
    draft.seq = event.seq;
    apply(draft, event);
  }
  return draft.finish();
}
