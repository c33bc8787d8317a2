// Labels as people write them: `urgent`, or `team:blue` for one with a value. A session has one value for each name.
import type { SessionSummary } from "../../api/types";

export type Labels = Readonly<Record<string, string>>;

export const labelWords = (name: string, value: string): string => (value ? `${name}:${value}` : name);

export const wordsOfLabels = (labels: Labels | null | undefined): string[] => Object.entries(labels ?? {}).map(([name, value]) => labelWords(name, value));

/** Nothing if it names nothing. Commas stand between labels wherever several are written. */
export function parseLabel(text: string): [name: string, value: string] | undefined {
  const [, name = "", value = ""] = /^([^:=]*)[:=]?(.*)$/s.exec(text.replace(/[,\s]+/g, " ")) ?? [];
  return name.trim() ? [name.trim(), value.trim()] : undefined;
}

/** With one more, or with another value of the same name. */
export function withLabel(labels: Labels, text: string): Labels {
  const parsed = parseLabel(text);
  return parsed ? { ...labels, [parsed[0]]: parsed[1] } : labels;
}

export const withoutLabel = (labels: Labels, name: string): Labels => Object.fromEntries(Object.entries(labels).filter(([known]) => known !== name));

/** What is in use, the most frequent first. */
export function labelsInUse(sessions: Iterable<Pick<SessionSummary, "labels">>): string[] {
  const often = new Map<string, number>();
  for (const { labels } of sessions) for (const words of wordsOfLabels(labels)) often.set(words, (often.get(words) ?? 0) + 1);
  return [...often].sort(([one, many], [other, more]) => more - many || one.localeCompare(other)).map(([words]) => words);
}

/** What can be added: known, not there yet, and with what was typed in it. */
export function suggestions(known: readonly string[], labels: Labels, typed: string): string[] {
  const there = new Set(wordsOfLabels(labels));
  const wanted = typed.trim().toLowerCase();
  return known.filter((words) => !there.has(words) && words.toLowerCase().includes(wanted));
}
