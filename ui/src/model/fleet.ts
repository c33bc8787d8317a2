// All sessions at a glance, and everything that waits for a person: listed once, then kept up to date by the feed.
import { ask, type Refused } from "../api/client";
import { type Connection, follow } from "../api/stream";
import type { Event, PendingApproval, SessionSummary } from "../api/types";
import { Cell } from "./store";

export interface Fleet {
  sessions: ReadonlyMap<string, SessionSummary>;
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
    events: (events) => fleet.update((state) => events.reduce(reduceFleet, state)),
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

async function list(): Promise<void> {
  const sessions: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const at = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page: Listing = await ask("GET", `/v1/sessions?archived=true&limit=200${at}`);
    sessions.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && sessions.length < 5_000);
  const approvals = await ask<{ items: PendingApproval[] }>("GET", "/v1/approvals?state=pending");
  fleet.update((state) => ({
    ...state,
    sessions: new Map(sessions.map((session) => [session.id, session])),
    approvals: approvals.items,
    listed: true,
  }));
}

/** What the feed says, put into what is known. */
export function reduceFleet(state: Fleet, event: Event): Fleet {
  switch (event.type) {
    case "session.created":
      return state.sessions.has(event.session_id) ? state : (void refresh(event.session_id), state);
    case "session.removed":
      return { ...state, sessions: without(state.sessions, event.session_id) };
    case "session.updated":
      return change(state, event, (session) => {
        const { name, model, labels } = event.data;
        return { ...session, name: name ?? null, model: model ?? session.model ?? null, ...(labels ? { labels } : {}) };
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

function change(state: Fleet, event: Event, how: (session: SessionSummary) => SessionSummary): Fleet {
  const session = state.sessions.get(event.session_id);
  if (!session) return state;
  return { ...state, sessions: new Map(state.sessions).set(session.id, how(session)) };
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Asks for one session again, after something that the feed does not say in full. */
export async function refresh(id: string): Promise<void> {
  const session = await ask<SessionSummary>("GET", `/v1/sessions/${encodeURIComponent(id)}`).catch(() => undefined);
  if (session) {
    fleet.update((state) => ({ ...state, sessions: new Map(state.sessions).set(session.id, session) }));
  }
}
