import { afterEach, expect, it, vi } from "vitest";
import { gateway } from "../steer/testing";
import { pastOf } from "./past";

afterEach(() => vi.unstubAllGlobals());

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;

/** Two turns, each a message and its answer. */
const EVENTS = ["one", "two"].flatMap((word, turn) => {
  const of = { turn_id: `turn-${word}`, session_id: "parent" };
  return [
    { type: "message.accepted", data: { message_id: word, input: [{ type: "text", text: word }], position: 0 } },
    { type: "message.started", data: { message_id: word, attempt: 1 } },
    { type: "turn.started", data: { message_ids: [word] }, ...of },
    { type: "item.completed", data: { item: { type: "agentMessage", text: `answer ${word}` } }, item_id: word, ...of },
    { type: "turn.completed", data: { message_ids: [word], status: "completed", duration_ms: 1 }, ...of },
    { type: "message.finished", data: { message_id: word, status: "completed", text: "", usage: {} } },
  ].map((event, index) => ({ ...event, seq: turn * 6 + index + 1, at: at(turn * 2) }));
});

const session = (forked_from: unknown, created_at = at(1)) => ({ status: 200, body: { forked_from, created_at } });

/** A gateway with a parent of two turns, and forks of it. */
const withForks = (sessions: Record<string, ReturnType<typeof session>>) =>
  gateway(({ path }) => {
    const [, id = "", events] = /^\/v1\/sessions\/([^/?]+)(\/events)?/.exec(path) ?? [];
    if (!events) return sessions[id] ?? { status: 404, body: { code: "not_found", title: "not there", detail: "", status: 404 } };
    return { status: 200, body: { events: id === "parent" ? EVENTS : [], last_seq: id === "parent" ? EVENTS.length : 0 } };
  });

const shown = (past: Awaited<ReturnType<typeof pastOf>>) => past.map(({ sessionId, conversation }) => [sessionId, conversation && [...conversation.order]]);

it("is empty for what is no fork", async () => {
  withForks({ parent: session(null) });
  expect(await pastOf("parent")).toEqual([]);
});

it("ends with the turn after which the fork was made", async () => {
  withForks({ parent: session(null), fork: session({ session_id: "parent", thread_id: "t", turn_id: "turn-one" }, at(9)) });
  const past = await pastOf("fork");
  expect(shown(past)).toEqual([["parent", ["message:one", "item:turn-one:one"]]]);
  expect(past[0]?.conversation?.entries.get("message:one")).toMatchObject({ state: "completed" });
});

it("is what was there when the fork was made, if no turn was named", async () => {
  withForks({ parent: session(null), early: session({ session_id: "parent", thread_id: "t" }, at(1)), late: session({ session_id: "parent", thread_id: "t" }, at(9)) });
  expect(shown(await pastOf("early"))).toEqual([["parent", ["message:one", "item:turn-one:one"]]]);
  expect(shown(await pastOf("late"))[0]?.[1]).toHaveLength(4);
});

it("goes back through forks of forks", async () => {
  withForks({
    parent: session(null),
    fork: session({ session_id: "parent", thread_id: "t", turn_id: "turn-one" }),
    forkOfIt: session({ session_id: "fork", thread_id: "u" }),
  });
  expect((await pastOf("forkOfIt")).map(({ sessionId }) => sessionId)).toEqual(["parent", "fork"]);
});

it("says that a session is gone", async () => {
  withForks({ fork: session({ session_id: "deleted", thread_id: "t" }) });
  expect(shown(await pastOf("fork"))).toEqual([["deleted", undefined]]);
});
