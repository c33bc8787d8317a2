// What can be chosen, in words, with how many sessions each has.
import { lastPart } from "../../lib/format";
import { GLANCE_WORDS, type Glance } from "../../parts/StateDot";
import type { KnownSession } from "../known";
import { type Chosen, type Kind, KINDS, valuesOf } from "./filter";

export interface Choice {
  value: string;
  words: string;
  count: number;
}

export interface Choices {
  kind: Kind;
  title: string;
  choices: Choice[];
}

const TITLES: Record<Kind, string> = { state: "State", label: "Label", project: "Project", model: "Model", archived: "Archive" };
const STATES: readonly Glance[] = ["waits", "working", "failed", "idle", "stopped"];
const ORDERED: Partial<Record<Kind, readonly string[]>> = { state: STATES, archived: ["no", "yes"] };

export function wordsOf(kind: Kind, value: string): string {
  if (kind === "state") return GLANCE_WORDS[value as Glance] ?? value;
  if (kind === "project") return lastPart(value);
  if (kind === "model") return value || "Standard model";
  if (kind === "archived") return value === "yes" ? "Archived" : "Not archived";
  return value;
}

/** Only what would tell sessions apart, and what is chosen. */
export function choicesFor(sessions: readonly KnownSession[], asks: ReadonlyMap<string, number>, chosen: Chosen): Choices[] {
  return KINDS.map((kind) => {
    const counts = new Map((chosen[kind] ?? []).map((value) => [value, 0]));
    for (const session of sessions) {
      for (const value of valuesOf(session, kind, asks.get(session.id) ?? 0)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const order = ORDERED[kind];
    const place = (value: string) => order?.indexOf(value) ?? 0;
    const choices = [...counts].map(([value, count]) => ({ value, words: wordsOf(kind, value), count }));
    choices.sort((one, other) => place(one.value) - place(other.value) || other.count - one.count || one.words.localeCompare(other.words));
    return { kind, title: TITLES[kind], choices };
  }).filter(({ kind, choices }) => choices.length > 1 || (kind === "label" && choices.length > 0) || chosen[kind] !== undefined);
}
