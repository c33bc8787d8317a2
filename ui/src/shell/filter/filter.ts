// Which sessions a person wants to see: what was chosen of each kind, and words. Of one kind any fits; every kind has to.
import { glance } from "../../parts/StateDot";
import { type KnownSession, projectOf } from "../known";
import { wordsOfLabels } from "../labels/labels";

export const KINDS = ["state", "label", "project", "model", "archived"] as const;
export type Kind = (typeof KINDS)[number];

/** What was chosen, by kind; nothing of a kind lets all through. */
export type Chosen = Readonly<Partial<Record<Kind, readonly string[]>>>;

export interface Filter {
  chosen: Chosen;
  /** What was typed into the search. */
  query: string;
}

export const NOTHING: Chosen = {};

/** What a session is of a kind: several, for labels. */
export function valuesOf(session: KnownSession, kind: Kind, asks: number): string[] {
  switch (kind) {
    case "state":
      return [glance(session.state, asks)];
    case "label":
      return wordsOfLabels(session.labels);
    case "project":
      return [projectOf(session)];
    case "model":
      return [session.model ?? ""];
    case "archived":
      return [session.archived ? "yes" : "no"];
  }
}

export function passes(session: KnownSession, chosen: Chosen, asks: number): boolean {
  return KINDS.every((kind) => {
    const wanted = chosen[kind] ?? [];
    return wanted.length === 0 || valuesOf(session, kind, asks).some((value) => wanted.includes(value));
  });
}

export function toggled(chosen: Chosen, kind: Kind, value: string): Chosen {
  const before = chosen[kind] ?? [];
  const after = before.includes(value) ? before.filter((known) => known !== value) : [...before, value];
  const { [kind]: _, ...rest } = chosen;
  return after.length > 0 ? { ...rest, [kind]: after } : rest;
}

export const isEmpty = (chosen: Chosen): boolean => howMany(chosen) === 0;

export const howMany = (chosen: Chosen): number => KINDS.reduce((sum, kind) => sum + (chosen[kind]?.length ?? 0), 0);

/** What is in an address; nothing if it says nothing of what to show. */
export function readFilter(search: string): Filter | undefined {
  const params = new URLSearchParams(search);
  const given = KINDS.map((kind) => [kind, params.getAll(kind)] as const).filter(([, values]) => values.length > 0);
  const query = params.get("q");
  return given.length > 0 || query ? { chosen: Object.fromEntries(given), query: query ?? "" } : undefined;
}

/** The same, put into an address; what else is in it stays. */
export function writeFilter(search: string, { chosen, query }: Filter): string {
  const params = new URLSearchParams(search);
  for (const kind of KINDS) {
    params.delete(kind);
    for (const value of chosen[kind] ?? []) params.append(kind, value);
  }
  if (query) params.set("q", query);
  else params.delete("q");
  const text = params.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  return text ? `?${text}` : "";
}
