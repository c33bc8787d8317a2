// The conversation as rows of a list: what waits in the queue is left out (the composer shows it), and each turn that ended gets
// a line after the last thing that happened in it.
import type { Conversation, Turn } from "../model/conversation";
import type { Entry } from "../model/entry";

export type Row = { key: string; seq: number } & ({ entry: Entry; turn?: undefined } | { turn: Turn; entry?: undefined });

export function rowsOf({ order, entries, turns }: Pick<Conversation, "order" | "entries" | "turns">): Row[] {
  const rows: Row[] = [];
  const shown = order.flatMap((key) => {
    const entry = entries.get(key);
    return entry && isShown(entry) ? [entry] : [];
  });
  const lastOf = new Map<string, number>();
  shown.forEach((entry, at) => entry.turnId && lastOf.set(entry.turnId, at));
  shown.forEach((entry, at) => {
    rows.push({ key: entry.key, seq: entry.seq, entry });
    const turn = entry.turnId && lastOf.get(entry.turnId) === at ? turns.get(entry.turnId) : undefined;
    if (turn?.status) rows.push({ key: `turn:${turn.id}`, seq: entry.seq, turn });
  });
  return rows;
}

function isShown(entry: Entry): boolean {
  return entry.kind !== "message" || entry.state !== "queued";
}

/** The row of an event, or of the last thing before it; sub-agents stand for what happened in them. */
export function rowOfEvent(rows: readonly Row[], seq: number): number {
  let best = -1;
  rows.forEach((row, at) => {
    const nearer = best < 0 || row.seq >= (rows[best]?.seq ?? 0);
    if (row.entry && row.seq <= seq && nearer) best = at;
  });
  return best;
}

/** The event that the address points at: `#e12` is the twelfth. */
export function eventInHash(hash: string): number | undefined {
  const found = /^#e(\d+)$/.exec(hash);
  return found ? Number(found[1]) : undefined;
}
