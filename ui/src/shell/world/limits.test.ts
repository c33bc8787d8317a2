import { expect, it } from "vitest";
import { limitsOf, resetWords } from "./limits";

it("says limits in words, and nothing of what is unknown", () => {
  const weekly = { usedPercent: 40, windowDurationMins: 10_080, resetsAt: 1_800_000_000 };
  expect(limitsOf({ primary: { usedPercent: 12.5, windowDurationMins: 300, resetsAt: null }, secondary: weekly })).toEqual([
    { label: "5 hours", percent: 12.5, resetsAt: undefined },
    { label: "Week", percent: 40, resetsAt: 1_800_000_000_000 },
  ]);
  expect(limitsOf({ primary: null, secondary: null })).toEqual([]);
  expect(limitsOf(null)).toEqual([]);
});

it("says when a limit begins anew: the hour today, the day this week, else the date", () => {
  const noon = new Date(2026, 2, 4, 12).getTime();
  const words = (hours: number) => resetWords(noon + hours * 3_600_000, noon);
  expect(words(2)).toMatch(/\d:00/);
  expect(words(3 * 24)).toBe(new Date(2026, 2, 7).toLocaleDateString(undefined, { weekday: "short" }));
  expect(words(8 * 24)).toMatch(/12/);
});
