// How the figures of charts are said: what is measured, and the turns beside it.
import { count, dollars } from "../../lib/format";
import type { Bar, Measure } from "./bars";
import type { Report } from "./useReport";

export interface Said {
  /** One value, with what it counts. */
  words(value: number): string;
  /** The same where little room is. */
  short(value: number): string;
  /** All that is known of one bar. */
  about(bar: Bar): string;
  /** The turns, where something else is drawn. */
  beside: ((bar: Bar) => string) | undefined;
}

const turnsInWords = (turns: number): string => `${count(turns)} ${turns === 1 ? "turn" : "turns"}`;

const WORDS: Record<Measure, (value: number) => string> = {
  tokens: (value) => `${count(value)} tokens`,
  turns: turnsInWords,
  cost: dollars,
};

/** Journals from before turns were counted have none to tell. */
export const areTurnsCounted = (total: Report["total"] | undefined): boolean => (total?.turns ?? 0) > 0;

export function said(measure: Measure, total: Report["total"] | undefined): Said {
  const words = WORDS[measure];
  const both = areTurnsCounted(total) && measure !== "turns";
  return {
    words,
    short: measure === "cost" ? dollars : count,
    about: ({ value, turns }) => (both && turns > 0 ? `${words(value)} in ${turnsInWords(turns)}` : words(value)),
    beside: both ? ({ turns }) => (turns > 0 ? turnsInWords(turns) : "") : undefined,
  };
}
