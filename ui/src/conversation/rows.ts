// The conversation as rows of a list: what waits in the queue is left out (the composer shows it), and each turn that ended gets
// a line after the last thing that happened in it.
import type { Conversation, Turn } from "../model/conversation";
import type { Entry } from "../model/entry";
import type { Place } from "./context";
import { hasNothingToShow } from "./entries/silent";

/** Where a row stands that was taken over from another session. */
export interface Elsewhere {
  place: Place;
  entries: Conversation["entries"];
}

interface AnyRow {
  key: string;
  seq: number;
  elsewhere?: Elsewhere;
}

export interface EntryRow extends AnyRow {
  entry: Entry;
  /** Of a message that ended badly: its turn says why, further down. */
  told: boolean;
  turn?: undefined;
}

export interface TurnRow extends AnyRow {
  turn: Turn;
  entry?: undefined;
}

export type Row = EntryRow | TurnRow;

export function rowsOf({ order, entries, turns }: Pick<Conversation, "order" | "entries" | "turns">): Row[] {
  const shown: Entry[] = [];
  const lastOf = new Map<string, Entry>();
  for (const key of order) {
    const entry = entries.get(key);
    if (!entry || !isShown(entry, entries)) continue;
    shown.push(entry);
    const turn = ownTurn(entry);
    if (turn) lastOf.set(turn, entry);
  }
  const told = toldByTurns(turns);
  const rows: Row[] = [];
  for (const entry of shown) {
    rows.push(rowOf(entry, entry.kind === "message" && told.has(entry.messageId)));
    const id = ownTurn(entry);
    const turn = id && lastOf.get(id) === entry ? turns.get(id) : undefined;
    if (turn?.status) rows.push({ key: `turn:${turn.id}`, seq: entry.seq, turn });
  }
  return rows;
}

/** Most rows are the same as before: they are kept. */
const known = new WeakMap<Entry, EntryRow>();

function rowOf(entry: Entry, told: boolean): EntryRow {
  const before = known.get(entry);
  if (before?.told === told) return before;
  const row: EntryRow = { key: entry.key, seq: entry.seq, entry, told };
  known.set(entry, row);
  return row;
}

export function isShown(entry: Entry, entries: Conversation["entries"]): boolean {
  // A call of the session's own tool is an item, too; that one holds all of it.
  if (entry.kind === "tool" && entry.itemKey && entries.has(entry.itemKey)) return false;
  // What waits for an answer is shown in full by what asks.
  if (entry.kind === "item" && entry.waitsFor) return false;
  return !(entry.kind === "message" && entry.state === "queued") && !hasNothingToShow(entry);
}

/** The turn of the session that an entry belongs to; a sub-agent's are its own. */
const ownTurn = (entry: Entry): string | undefined => (entry.kind === "agent" ? undefined : entry.turnId);

function toldByTurns(turns: Conversation["turns"]): Set<string> {
  const told = new Set<string>();
  for (const turn of turns.values()) {
    if (turn.status && turn.status !== "completed") turn.messageIds.forEach((id) => told.add(id));
  }
  return told;
}

/** The row in which an entry stands; a sub-agent's are all in one. */
export const rowOfEntry = (rows: readonly Row[], key: string): number =>
  rows.findIndex(({ entry }) => entry?.key === key || (entry?.kind === "agent" && entry.order.includes(key)));

/** The row of an event, or of the last thing before it; a sub-agent stands for what happened in it. */
export function rowOfEvent(rows: readonly Row[], seq: number, entries: Conversation["entries"]): number {
  const exact = rows.findIndex(
    ({ entry }) => entry?.kind === "agent" && entry.order.some((key) => entries.get(key)?.seq === seq),
  );
  if (exact >= 0) return exact;
  let best = -1;
  rows.forEach((row, at) => {
    if (row.entry && row.seq <= seq && (best < 0 || row.seq >= (rows[best]?.seq ?? 0))) best = at;
  });
  return best;
}

/** The event that the address points at: `#e12` is the twelfth. */
export function eventInHash(hash: string): number | undefined {
  const found = /^#e(\d+)$/.exec(hash);
  return found ? Number(found[1]) : undefined;
}
