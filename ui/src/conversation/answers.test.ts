import { expect, it } from "vitest";
import { EMPTY } from "../model/conversation";
import type { ItemEntry } from "../model/entry";
import { answers, spoken } from "./answers";

const answer = (text: string, done: boolean): ItemEntry => ({
  kind: "item", key: "k", itemId: "i", item: { type: "agentMessage", text }, streamed: {}, done, seq: 1, at: "2026-01-01T00:00:00Z",
});
const holding = (entry: ItemEntry) => ({ ...EMPTY, order: ["k"], entries: new Map([["k", entry]]) });

it("reads an answer out once, when it is whole", () => {
  const grows = answers(new Set(), holding(answer("Hel", false)));
  expect(grows).toEqual({ whole: [], growing: new Set(["k"]) });
  const ends = answers(grows.growing, holding(answer("Hello **you**", true)));
  expect(ends.whole).toEqual(["Hello you"]);
  expect(answers(ends.growing, holding(answer("Hello", true))).whole).toEqual([]);
});

it("does not read out what was there before", () => {
  expect(answers(new Set(), holding(answer("old", true))).whole).toEqual([]);
});

it("speaks words and not marks", () => {
  expect(spoken("## Done\n\nSee [the docs](https://x.y) and `a`.\n\n```rust\nfn a() {}\n```\n\nEnd")).toBe(
    "Done\n\nSee the docs and a.\n\n(code)\n\nEnd",
  );
  expect(spoken("x".repeat(3_000))).toMatch(/… and more$/);
});
