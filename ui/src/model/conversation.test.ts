import { describe, expect, it } from "vitest";
import type { Event } from "../api/types";
import { EMPTY, Gap, reduce } from "./conversation";

let seq = 0;
const event = (type: string, data: unknown, more: Partial<Event> = {}): Event =>
  ({ seq: ++seq, session_id: "s", at: "2026-01-01T00:00:00.000Z", type, data, ...more }) as Event;

function conversation(): Event[] {
  seq = 0;
  const turn = { turn_id: "t1" };
  return [
    event("message.accepted", { message_id: "m1", input: [{ type: "text", text: "hi" }], busy_policy: "queue", position: 0 }),
    event("message.started", { message_id: "m1", attempt: 1 }),
    event("turn.started", { message_ids: ["m1"] }, turn),
    event("item.started", { item: { type: "agentMessage", id: "i1", text: "" } }, { ...turn, item_id: "i1" }),
    event("item.delta", { kind: "text", delta: "Hel" }, { ...turn, item_id: "i1" }),
    event("item.delta", { kind: "text", delta: "lo" }, { ...turn, item_id: "i1" }),
    event("item.completed", { item: { type: "agentMessage", id: "i1", text: "Hello" } }, { ...turn, item_id: "i1" }),
    event("turn.completed", { message_ids: ["m1"], status: "completed", duration_ms: 5 }, turn),
    event("message.finished", { message_id: "m1", status: "completed", text: "Hello", usage: {} }),
  ];
}

describe("a conversation", () => {
  it("is the same however its events are cut into pieces", () => {
    const events = conversation();
    const whole = reduce(EMPTY, events);
    const pieces = events.reduce((state, event) => reduce(state, [event]), EMPTY);
    expect(pieces).toEqual(whole);
    expect(whole.order).toEqual(["message:m1", "item:t1:i1"]);
    expect(whole.runningTurn).toBeUndefined();
  });

  it("says of a turn that was cut and is run again that the agent begins again", () => {
    seq = 0;
    const cut = { turn_id: "t1" };
    const events = [
      event("message.accepted", { message_id: "m1", input: [], busy_policy: "queue", position: 0 }),
      event("message.started", { message_id: "m1", attempt: 1 }),
      event("turn.started", { message_ids: ["m1"] }, cut),
      event("turn.completed", { message_ids: [], status: "interrupted", duration_ms: 5 }, cut),
      event("message.started", { message_id: "m1", attempt: 2 }),
    ];
    const marks = [...reduce(EMPTY, events).entries.values()].flatMap((entry) => (entry.kind === "mark" ? [entry.mark] : []));
    expect(marks).toEqual([{ what: "again" }]);
  });

  it("takes nothing twice and refuses a gap", () => {
    const events = conversation();
    const state = reduce(EMPTY, events.slice(0, 5));
    expect(reduce(state, events)).toEqual(reduce(EMPTY, events));
    expect(() => reduce(state, events.slice(6))).toThrow(Gap);
  });

  it("is the same when its history is told shortly", () => {
    const events = conversation();
    const [began, first, last, whole] = events.slice(3, 7) as [Event, Event, Event, Event];
    const told = (event: Event, first: Event): Event => ({ ...event, began: { seq: first.seq, at: first.at }, after: first.seq - 1 });
    began.at = "2026-01-01T00:00:01.000Z";
    const joined = { ...told(last, first), data: { kind: "text", delta: "Hello" } } as Event;
    const all = reduce(EMPTY, events);
    expect(all.entries.get("item:t1:i1")).toMatchObject({ seq: began.seq, at: began.at, streamed: {} });
    expect(reduce(EMPTY, [...events.slice(0, 3), told(whole, began), ...events.slice(7)])).toEqual(all);
    expect(reduce(EMPTY, [...events.slice(0, 4), joined, whole, ...events.slice(7)])).toEqual(all);
    expect(reduce(EMPTY, [...events.slice(0, 4), joined])).toEqual(reduce(EMPTY, events.slice(0, 6)));
    expect(() => reduce(reduce(EMPTY, events.slice(0, 5)), [joined]), "half of it is known").toThrow(Gap);
  });

  it("keeps the pieces of which a whole item holds nothing", () => {
    const pieces = (kind: string, item: object, closed?: string) => {
      seq = 0;
      const state = reduce(EMPTY, [
        event("item.delta", { kind, delta: "x" }, { item_id: "i" }),
        event("item.completed", { item: { type: "any", ...item }, ...(closed ? { closed } : {}) }, { item_id: "i" }),
      ]);
      return state.entries.get("item::i");
    };
    const kept = { streamed: { output: "x" }, done: true };
    expect(pieces("output", { aggregatedOutput: null })).toMatchObject(kept);
    expect(pieces("output", { aggregatedOutput: "y" }, "interrupted")).toMatchObject(kept);
    expect(pieces("output", { aggregatedOutput: "x" })).toMatchObject({ streamed: {} });
    expect(pieces("reasoning", { content: [], summary: ["x"] })).toMatchObject({ streamed: { reasoning: "x" } });
    expect(pieces("reasoning_summary", { content: [], summary: ["x"] })).toMatchObject({ streamed: {} });
    expect(pieces("patch", { changes: [{ path: "x" }] })).toMatchObject({ streamed: {} });
  });

  it("keeps what did not change as the same object", () => {
    const events = conversation();
    const before = reduce(EMPTY, events.slice(0, 5));
    const after = reduce(before, events.slice(0, 6));
    expect(after.entries.get("message:m1")).toBe(before.entries.get("message:m1"));
    expect(after.order).toBe(before.order);
  });

  it("nests what a sub-agent does, which does not end its parent's turn", () => {
    seq = 0;
    const child = { thread_id: "child", turn_id: "t2" };
    const state = reduce(EMPTY, [
      event("turn.started", { message_ids: [] }, { turn_id: "t1" }),
      event("item.completed", { item: { type: "agentMessage", text: "x" } }, { ...child, item_id: "a" }),
      event("turn.completed", { message_ids: [], status: "completed", duration_ms: 1 }, child),
    ]);
    expect(state.order).toEqual(["agent:child"]);
    expect(state.entries.get("agent:child")).toMatchObject({ order: ["item:t2:a"], done: true });
    expect(state.runningTurn).toBe("t1");
  });

  it("knows what waits, and who answered", () => {
    seq = 0;
    const asked = event("approval.requested", { approval_id: "a", kind: "command", request: { command: "ls" } });
    const state = reduce(EMPTY, [asked]);
    expect(state.waiting).toEqual(["a"]);
    const answered = reduce(state, [event("approval.resolved", { approval_id: "a", decision: "accept", by: "eva" })]);
    expect(answered.waiting).toEqual([]);
    expect(answered.entries.get("approval:a")).toMatchObject({ resolved: { by: "eva", decision: "accept" } });
  });

  it("keeps the queue in its order", () => {
    seq = 0;
    const said = (id: string, position: number) =>
      event("message.accepted", { message_id: id, input: [], busy_policy: "queue", position });
    const moved = (id: string, position: number) => event("message.updated", { message_id: id, position });
    const runs = event("session.state", { state: "running", previous: "idle" });
    const state = reduce(EMPTY, [runs, said("a", 1), said("b", 2), said("c", 3), moved("c", 1)]);
    expect(state.queue).toEqual(["c", "a", "b"]);
    expect(reduce(state, [event("message.started", { message_id: "c", attempt: 1 })]).queue).toEqual(["a", "b"]);
  });

  it("shows a message where the agent got it, not where it began to wait", () => {
    seq = 0;
    const said = (id: string, position: number) =>
      event("message.accepted", { message_id: id, input: [], busy_policy: "queue", position });
    const answer = (id: string) =>
      event("item.completed", { item: { type: "agentMessage", text: id } }, { turn_id: `t-${id}`, item_id: id });
    const begun = (id: string, attempt = 1) => event("message.started", { message_id: id, attempt });
    const state = reduce(EMPTY, [said("a", 0), begun("a"), said("b", 1), answer("a"), begun("b"), answer("b"), begun("b", 2)]);
    expect(state.order).toEqual(["message:a", "item:t-a:a", "message:b", "item:t-b:b"]);
  });

  it("knows what each turn cost", () => {
    seq = 0;
    const used = (turn: string, cost_usd: number) =>
      event("usage.updated", { turn: {}, session: {}, cost_usd }, { turn_id: turn });
    const begun = (turn: string) => event("turn.started", { message_ids: [] }, { turn_id: turn });
    const state = reduce(EMPTY, [begun("a"), used("a", 1), used("a", 3), begun("b"), used("b", 3.5)]);
    expect([...state.turns.values()].map((turn) => turn.costUsd)).toEqual([3, 0.5]);
  });

  it("keeps the order of a queue before which nothing runs", () => {
    seq = 0;
    const said = (id: string, position: number) =>
      event("message.accepted", { message_id: id, input: [], busy_policy: "queue", position });
    const state = reduce(EMPTY, [said("a", 0), said("b", 1), said("c", 2)]);
    expect(state.queue).toEqual(["a", "b", "c"]);
    expect(reduce(state, [event("message.updated", { message_id: "c", position: 1 })]).queue).toEqual(["a", "c", "b"]);
  });
});
