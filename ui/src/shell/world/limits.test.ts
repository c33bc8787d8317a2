import { expect, it } from "vitest";
import { limitsOf } from "./limits";

it("says limits in words, and nothing of what is unknown", () => {
  const weekly = { usedPercent: 40, windowDurationMins: 10_080, resetsAt: 1_800_000_000 };
  expect(limitsOf({ primary: { usedPercent: 12.5, windowDurationMins: 300, resetsAt: null }, secondary: weekly })).toEqual([
    { label: "5 hours", percent: 12.5, resetsAt: undefined },
    { label: "Week", percent: 40, resetsAt: 1_800_000_000_000 },
  ]);
  expect(limitsOf({ primary: null, secondary: null })).toEqual([]);
  expect(limitsOf(null)).toEqual([]);
});
