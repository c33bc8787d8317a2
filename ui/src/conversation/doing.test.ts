import { expect, it } from "vitest";
import { EMPTY, type Conversation } from "../model/conversation";
import type { CodexItem } from "../model/entry";
import { doing } from "./doing";

const AT = "2026-01-01T00:00:00Z";

function running(item?: CodexItem, more: Partial<Conversation> = {}): Conversation {
  const entry = item && ({ kind: "item", key: "k", itemId: "i", item, streamed: {}, done: false, seq: 1, at: AT } as const);
  return {
    ...EMPTY,
    seq: 1,
    lifecycle: "running",
    runningTurn: "t",
    turns: new Map([["t", { id: "t", startedAt: AT, messageIds: [] }]]),
    order: entry ? ["k"] : [],
    entries: new Map(entry ? [["k", entry]] : []),
    ...more,
  };
}

it("says what the agent does now, and since when", () => {
  expect(doing(running())).toEqual({ words: "Thinking", since: AT, waits: false });
  expect(doing(running({ type: "agentMessage" }))?.words).toBe("Writing");
  expect(doing(running({ type: "commandExecution", command: "bash -lc 'make'" }))).toMatchObject({ words: "Running", what: "make" });
});

it("says when a person is waited for, and nothing when all is quiet", () => {
  expect(doing(running(undefined, { waiting: ["a"] }))).toMatchObject({ words: "Waits for your answer", waits: true });
  expect(doing({ ...EMPTY, seq: 1, lifecycle: "idle" })).toBeUndefined();
});
