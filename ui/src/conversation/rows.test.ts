import { describe, expect, it } from "vitest";
import type { Event } from "../api/types";
import { EMPTY, reduce } from "../model/conversation";
import { eventInHash, rowOfEvent, rowsOf } from "./rows";
import { turnBeside } from "./useTurnKeys";

function conversation(...made: [type: string, data: unknown, more?: Partial<Event>][]) {
  const events = made.map(([type, data, more], at) => ({ seq: at + 1, session_id: "s", at: "2026-01-01T00:00:00Z", type, data, ...more }) as Event);
  return reduce(EMPTY, events);
}

const said = (id: string): [string, unknown] => ["message.accepted", { message_id: id, input: [], position: 0 }];
const begun = (id: string): [string, unknown] => ["message.started", { message_id: id, attempt: 1 }];
const item = (id: string, turn: string, more: Partial<Event> = {}): [string, unknown, Partial<Event>] => [
  "item.completed",
  { item: { type: "agentMessage", text: id } },
  { turn_id: turn, item_id: id, ...more },
];
const ended = (turn: string, status: string, more: Partial<Event> = {}): [string, unknown, Partial<Event>] => [
  "turn.completed",
  { message_ids: ["m"], status, duration_ms: 5 },
  { turn_id: turn, ...more },
];

describe("the rows of a conversation", () => {
  it("leave out what waits, and end each turn with a line", () => {
    const rows = rowsOf(conversation(said("m"), begun("m"), item("a", "t"), item("b", "t"), ended("t", "completed"), said("waits")));
    expect(rows.map((row) => row.key)).toEqual(["message:m", "item:t:a", "item:t:b", "turn:t"]);
  });

  it("know whether a turn says why its message failed", () => {
    const failed = rowsOf(conversation(said("m"), begun("m"), ended("t", "failed")));
    expect(failed[0]).toMatchObject({ key: "message:m", told: true });
    const alone = rowsOf(conversation(said("m"), ["message.finished", { message_id: "m", status: "failed" }]));
    expect(alone[0]).toMatchObject({ key: "message:m", told: false });
  });

  it("do not end with a sub-agent's turn", () => {
    const child = { thread_id: "child" };
    const rows = rowsOf(conversation(item("a", "t"), item("b", "tc", child), ended("tc", "completed", child)));
    expect(rows.map((row) => row.key)).toEqual(["item:t:a", "agent:child"]);
  });

  it("are kept while nothing changes in them", () => {
    const before = conversation(item("a", "t"), item("b", "t"));
    expect(rowsOf(before)[0]).toBe(rowsOf(before)[0]);
  });

  it("show a call of the session's own tool once", () => {
    const call: Partial<Event> = { turn_id: "t", item_id: "c" };
    const asked: [string, unknown, Partial<Event>] = ["tool.requested", { tool_call_id: "x", tool: "lookup", arguments: {} }, call];
    const both = conversation(["item.started", { item: { type: "dynamicToolCall", tool: "lookup" } }, call], asked);
    expect(rowsOf(both).map((row) => row.key)).toEqual(["item:t:c"]);
    expect(rowsOf(conversation(asked)).map((row) => row.key)).toEqual(["tool:x"]);
  });

  it("show what waits for an answer once: in what asks, and as itself when it was answered", () => {
    const place: Partial<Event> = { turn_id: "t", item_id: "c" };
    const asks: [string, unknown, Partial<Event>] = ["approval.requested", { approval_id: "x", kind: "command", request: {} }, place];
    const answers: [string, unknown, Partial<Event>] = ["approval.resolved", { approval_id: "x", decision: "accept", by: "eva" }, {}];
    const runs: [string, unknown, Partial<Event>] = ["item.started", { item: { type: "commandExecution", command: "ls" } }, place];
    expect(rowsOf(conversation(runs, asks)).map((row) => row.key)).toEqual(["approval:x"]);
    expect(rowsOf(conversation(runs, asks, answers)).map((row) => row.key)).toEqual(["item:t:c", "approval:x"]);
  });

  it("have no place for thoughts that say nothing", () => {
    const silent = conversation(["item.completed", { item: { type: "reasoning", summary: [], content: [] } }, { turn_id: "t", item_id: "r" }]);
    expect(rowsOf(silent)).toEqual([]);
  });
});

it("turns are found from any row, in both directions", () => {
  const rows = rowsOf(conversation(said("a"), begun("a"), item("x", "t"), item("y", "t"), said("b"), begun("b"), item("z", "u")));
  expect(rows.map((row) => row.key)).toEqual(["message:a", "item:t:x", "item:t:y", "message:b", "item:u:z"]);
  expect(turnBeside(rows, 1, 1)).toBe(3);
  expect(turnBeside(rows, 4, -1)).toBe(3);
  expect(turnBeside(rows, 3, -1)).toBe(0);
  expect(turnBeside(rows, 0, -1)).toBe(0);
  expect(turnBeside(rows, 3, 1)).toBeUndefined();
});

describe("a link to an event", () => {
  const state = conversation(item("a", "t"), item("b", "tc", { thread_id: "child" }), item("c", "t"), item("d", "tc", { thread_id: "child" }));

  it("is the hash of the address", () => {
    expect(eventInHash("#e12")).toBe(12);
    expect(eventInHash("#else")).toBeUndefined();
  });

  it("leads to its row, or to the sub-agent it happened in", () => {
    const rows = rowsOf(state);
    const key = (seq: number) => rows[rowOfEvent(rows, seq, state.entries)]?.key;
    expect(key(1)).toBe("item:t:a");
    expect(key(3)).toBe("item:t:c");
    expect(key(4)).toBe("agent:child");
    expect(key(99)).toBe("item:t:c");
  });
});
