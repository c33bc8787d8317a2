// The overview's order: who needs a person, who works, who is done.
import { glance } from "../../parts/StateDot";
import type { KnownSession } from "../known";

export interface Section {
  title: string;
  sessions: KnownSession[];
}

export function sections(sessions: Iterable<KnownSession>, waiting: ReadonlyMap<string, number>): Section[] {
  const needs: KnownSession[] = [];
  const works: KnownSession[] = [];
  const rests: KnownSession[] = [];
  for (const session of sessions) {
    if (session.archived) continue;
    const seen = glance(session.state);
    if (waiting.has(session.id) || seen === "waits" || seen === "failed" || session.held) needs.push(session);
    else if (seen === "working") works.push(session);
    else rests.push(session);
  }
  const newest = (some: KnownSession[]) => some.sort((one, other) => other.updated_at.localeCompare(one.updated_at));
  return [
    { title: "Needs you", sessions: newest(needs) },
    { title: "Working", sessions: newest(works) },
    { title: "Resting", sessions: newest(rests) },
  ].filter(({ sessions }) => sessions.length > 0);
}
