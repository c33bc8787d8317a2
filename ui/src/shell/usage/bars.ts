// Figures as bars: what a chart needs to know, and nothing of how it looks.
import type { UsageItem } from "./useReport";

export type Measure = "tokens" | "turns" | "cost";

export interface Bar {
  key: string;
  label: string;
  value: number;
  turns: number;
}

export function valueOf(item: UsageItem, measure: Measure): number {
  switch (measure) {
    case "tokens":
      return item.usage.total;
    case "turns":
      return item.turns;
    case "cost":
      return item.cost_usd ?? 0;
  }
}

/** The last days without gaps: a day on which nothing was used is a day too. */
export function byDay(items: readonly UsageItem[], measure: Measure, days: number, today = new Date()): Bar[] {
  const known = new Map(items.map((item) => [item.key, item]));
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - (days - 1 - index)));
    const key = date.toISOString().slice(0, 10);
    const item = known.get(key);
    const label = date.toLocaleDateString(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
    return { key, label, value: item ? valueOf(item, measure) : 0, turns: item?.turns ?? 0 };
  });
}

/** The gateway calls a model that nobody named `unknown`: it was Codex's own choice. */
export const modelName = (key: string): string => (key === "" || key === "unknown" ? "Standard model" : key);

/** Sessions that are gone are one item, and nothing is left of them to be looked at. */
const REMOVED = "removed";
export const isSession = (key: string): boolean => key !== "" && key !== REMOVED;
export const sessionName = (key: string, titled: (id: string) => string): string => (key === REMOVED ? "Removed sessions" : titled(key));

/** The largest first; what is beyond `most` is one bar. */
export function largest(items: readonly UsageItem[], measure: Measure, most: number, label: (key: string) => string): Bar[] {
  const bars = items
    .map((item) => ({ key: item.key, label: label(item.key), value: valueOf(item, measure), turns: item.turns }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);
  if (bars.length <= most) return bars;
  const rest = bars.slice(most - 1);
  const sum = (of: "value" | "turns") => rest.reduce((total, bar) => total + bar[of], 0);
  return [...bars.slice(0, most - 1), { key: "", label: `${rest.length} others`, value: sum("value"), turns: sum("turns") }];
}
