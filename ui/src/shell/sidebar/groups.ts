// Which sessions the sidebar shows, and in which order: by project, the newest activity first.
import { lastPart } from "../../lib/format";
import { branchOf, type KnownSession, projectOf } from "../known";

export interface Project {
  path: string;
  name: string;
  sessions: KnownSession[];
}

const newestFirst = (one: KnownSession, other: KnownSession): number => other.updated_at.localeCompare(one.updated_at);

export function projects(sessions: Iterable<KnownSession>): Project[] {
  const byPath = new Map<string, KnownSession[]>();
  for (const session of [...sessions].sort(newestFirst)) {
    const path = projectOf(session);
    const known = byPath.get(path);
    if (known) known.push(session);
    else byPath.set(path, [session]);
  }
  return named([...byPath].map(([path, sessions]) => ({ path, name: lastPart(path), sessions })));
}

/** Two projects of one name are told apart by what they lie in. */
function named(projects: Project[]): Project[] {
  const often = new Map<string, number>();
  for (const { name } of projects) often.set(name, (often.get(name) ?? 0) + 1);
  return projects.map((project) =>
    (often.get(project.name) ?? 0) > 1 ? { ...project, name: project.path.split("/").filter(Boolean).slice(-2).join("/") } : project,
  );
}

/** Every word has to be found: in its title, path, branch, model, state or labels. */
export function matches(session: KnownSession, title: string, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const labels = Object.entries(session.labels ?? {}).map(([key, value]) => `${key}:${value}`);
  const text = [title, projectOf(session), session.cwd, branchOf(session), session.model, session.state, ...labels].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
