// What a fork took over as rows above its own, with a line where it began.
import type { Past } from "../../model/past";
import { type EntryRow, type Row, rowsOf } from "../rows";

export const rowsOfPast = (past: readonly Past[]): Row[] => past.flatMap((one) => [...taken(one), beginning(one)]);

function taken({ sessionId, conversation }: Past): Row[] {
  if (!conversation) return [];
  const elsewhere = { place: { sessionId, cwd: conversation.settings?.cwd }, entries: conversation.entries };
  // Events are counted for each session anew: these have no number in this one.
  return rowsOf(conversation).map((row) => ({ ...row, key: `${sessionId}:${row.key}`, seq: 0, elsewhere }));
}

/** The first event of a session is that it was made. */
function beginning({ sessionId, at, conversation }: Past): EntryRow {
  const key = `forked:${sessionId}`;
  const mark = { what: "forked", from: sessionId, gone: conversation === undefined } as const;
  return { key, seq: 1, told: false, entry: { kind: "mark", key, seq: 1, at, mark } };
}
