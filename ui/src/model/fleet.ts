// All sessions at a glance, and everything that waits for a person: listed once, then kept up to date by the feed.
import { ask, type Refused } from "../api/client";
import { type Connection, follow } from "../api/stream";
import type { Event, PendingApproval, SessionSummary } from "../api/types";
import { Cell } from "./store";

export interface Fleet {
  sessions: ReadonlyMap<string, SessionSummary>;
  /** Up to which event of each session the gateway's best answer about it goes. */
  asOf: ReadonlyMap<string, number>;
  /** Oldest first. */
  approvals: readonly PendingApproval[];
  /** The last answers, so that a card that somebody else answered can say by whom. */
  answered: ReadonlyMap<string, { by: string; decision: string; message?: string }>;
  connection: Connection;
  /** Why the gateway does not let this page in. */
  refused: Refused | undefined;
  listed: boolean;
}

export const fleet = new Cell<Fleet>({
  sessions: new Map(),
  asOf: new Map(),
  approvals: [],
  answered: new Map(),
  connection: "connecting",
  refused: undefined,
  listed: false,
});

interface Listing {
  items: SessionSummary[];
  next_cursor?: string | null;
}

/** Opens the feed, then lists: what happens in between is in the feed. */
export function watchFleet(): () => void {
  let listing: Promise<void> | undefined;
  return follow("/v1/events", "now", {
    events: take,
    connection: (connection, refused) => {
      fleet.update((state) => ({ ...state, connection, refused }));
      if (connection === "live") {
        listing ??= list()
          .catch(() => undefined)
          .finally(() => (listing = undefined));
      }
    },
  });
}

/** What the feed said since each question that is not answered yet. */
const unanswered = new Set<Event[]>();

function take(events: Event[]): void {
  for (const news of unanswered) news.push(...events);
  const before = fleet.get();
  fleet.update((state) => events.reduce(reduceFleet, state));
  const unsaid = events.filter((event) => saysTooLittle(before.sessions.get(event.session_id), event));
  for (const id of new Set(unsaid.map((event) => event.session_id))) void refresh(id);
}

/** Puts an answer in, and on top of it what the feed said since it was asked for: the answer may be older than that. */
async function ontoTheFleet<Answer>(asked: Promise<Answer>, put: (state: Fleet, answer: Answer) => Fleet): Promise<void> {
  const news: Event[] = [];
  unanswered.add(news);
  try {
    const answer = await asked;
    fleet.update((state) => news.reduce(reduceFleet, put(state, answer)));
  } finally {
    unanswered.delete(news);
  }
}

async function list(): Promise<void> {
  await ontoTheFleet(everything(), (state, { sessions, approvals }) => ({
    ...state,
    sessions: new Map(sessions.map((session) => [session.id, newer(state, session)])),
    asOf: new Map(sessions.map((session) => [session.id, newest(state, session)])),
    approvals,
    listed: true,
  }));
}

async function everything(): Promise<{ sessions: SessionSummary[]; approvals: PendingApproval[] }> {
  const sessions: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const at = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page: Listing = await ask("GET", `/v1/sessions?archived=true&limit=200${at}`);
    sessions.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && sessions.length < 5_000);
  const approvals = await ask<{ items: PendingApproval[] }>("GET", "/v1/approvals?state=pending");
  return { sessions, approvals: approvals.items };
}

/** Whether the session has to be asked for again: nobody knows it yet, or its queue moved, which events say only in part. */
function saysTooLittle(known: SessionSummary | undefined, event: Event): boolean {
  switch (event.type) {
    case "session.created":
      return !known;
    case "message.accepted":
      return event.data.position > 0;
    case "message.started":
    case "message.finished":
      return known !== undefined && (known.queued > 0 || known.held === true);
    default:
      return false;
  }
}

/** What the feed says, put into what is known. */
export function reduceFleet(state: Fleet, event: Event): Fleet {
  switch (event.type) {
    case "session.removed":
      return { ...state, sessions: without(state.sessions, event.session_id) };
    case "session.updated":
      return change(state, event, (session) => {
        const { name, model, labels } = event.data;
        // Without labels none are said.
        return { ...session, name: name ?? null, model: model ?? session.model ?? null, labels: labels ?? {} };
      });
    case "session.state":
      return change(state, event, (session) => ({ ...session, state: event.data.state, updated_at: event.at }));
    case "usage.updated":
      return change(state, event, (session) => ({
        ...session,
        usage: event.data.session,
        cost_usd: event.data.cost_usd ?? session.cost_usd ?? null,
        context_used_percent: event.data.context_used_percent ?? session.context_used_percent ?? null,
      }));
    case "approval.requested": {
      const { approval_id, kind, request } = event.data;
      const others = state.approvals.filter((approval) => approval.approval_id !== approval_id);
      const asked = { approval_id, kind, request, session_id: event.session_id, at: event.at, turn_id: event.turn_id ?? null };
      return { ...state, approvals: [...others, asked] };
    }
    case "approval.resolved": {
      const { approval_id, by, decision, message } = event.data;
      const approvals = state.approvals.filter((approval) => approval.approval_id !== approval_id);
      const answered = new Map(state.answered).set(approval_id, { by, decision, ...(message ? { message } : {}) });
      return { ...state, approvals, answered };
    }
    default:
      return state;
  }
}

/** By sequence number: what the session is known to be after this event is not changed by it again. */
function change(state: Fleet, event: Event, how: (session: SessionSummary) => SessionSummary): Fleet {
  const session = state.sessions.get(event.session_id);
  if (!session || event.seq <= session.last_seq) return state;
  return { ...state, sessions: new Map(state.sessions).set(session.id, { ...how(session), last_seq: event.seq }) };
}

/** Of two answers about a session the one that knows more: what was asked for earlier may be answered later. */
function newer(state: Fleet, answered: SessionSummary): SessionSummary {
  return (answered.last_seq < newest(state, answered) && state.sessions.get(answered.id)) || answered;
}

/** The event up to which the best answer about a session goes. */
function newest({ asOf }: Fleet, { id, last_seq }: SessionSummary): number {
  return Math.max(asOf.get(id) ?? 0, last_seq);
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Asks for one session again, after something that the feed does not say in full. */
export async function refresh(id: string): Promise<void> {
  const asked = ask<SessionSummary>("GET", `/v1/sessions/${encodeURIComponent(id)}`);
  await ontoTheFleet(asked, (state, session) => ({
    ...state,
    sessions: new Map(state.sessions).set(session.id, newer(state, session)),
    asOf: new Map(state.asOf).set(session.id, newest(state, session)),
  })).catch(() => undefined);
}
