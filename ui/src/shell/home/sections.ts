// The overview's order: who needs a person, who works, who failed, who is done.
import { glance } from "../../parts/StateDot";
import type { KnownSession } from "../known";

const TITLES = ["Needs you", "Working", "Failed", "Resting"] as const;

export interface Section {
  title: (typeof TITLES)[number];
  sessions: KnownSession[];
}

export function sections(sessions: Iterable<KnownSession>, waiting: ReadonlyMap<string, number>): Section[] {
  const found = new Map(TITLES.map((title) => [title, [] as KnownSession[]]));
  for (const session of sessions) {
    if (!session.archived) found.get(place(session, waiting.get(session.id) ?? 0))?.push(session);
  }
  const newest = (some: KnownSession[]) => some.sort((one, other) => other.updated_at.localeCompare(one.updated_at));
  return [...found].map(([title, sessions]) => ({ title, sessions: newest(sessions) })).filter(({ sessions }) => sessions.length > 0);
}

function place(session: KnownSession, asks: number): Section["title"] {
  const seen = glance(session.state, asks);
  if (seen === "waits") return "Needs you";
  if (seen === "working") return "Working";
  if (seen === "failed") return "Failed";
  return session.held ? "Needs you" : "Resting";
}
