import { describe, expect, it } from "vitest";
import { byDay, isSession, largest, sessionName } from "./bars";
import type { UsageItem } from "./useReport";

const used = (key: string, total: number, cost_usd?: number): UsageItem => ({
  key,
  turns: total * 2,
  cost_usd: cost_usd ?? null,
  usage: { input: 0, cached_input: 0, cache_write_input: 0, output: 0, reasoning_output: 0, total },
});

describe("bars", () => {
  it("has every day, also those without use", () => {
    const bars = byDay([used("2026-02-27", 5), used("2026-03-01", 7)], "tokens", 4, new Date("2026-03-01T12:00:00Z"));
    expect(bars.map(({ key, value }) => [key, value])).toEqual([
      ["2026-02-26", 0],
      ["2026-02-27", 5],
      ["2026-02-28", 0],
      ["2026-03-01", 7],
    ]);
  });

  it("names the sessions that are gone, and leads to none of them", () => {
    const bars = largest([used("id", 1), used("removed", 3)], "tokens", 2, (key) => sessionName(key, () => "A session"));
    expect(bars.map(({ key, label }) => [label, isSession(key)])).toEqual([
      ["Removed sessions", false],
      ["A session", true],
    ]);
  });

  it("has the largest first and sums up the rest, so that nothing is missing", () => {
    const bars = largest([used("a", 1), used("b", 3), used("c", 2), used("d", 0)], "tokens", 2, (key) => key);
    expect(bars.map(({ label, value, turns }) => [label, value, turns])).toEqual([
      ["b", 3, 6],
      ["2 others", 3, 6],
    ]);
    expect(largest([used("a", 1), used("b", 3)], "turns", 2, (key) => key).map(({ value }) => value)).toEqual([6, 2]);
  });
});
