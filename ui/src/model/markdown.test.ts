import { expect, it } from "vitest";
import { type Conversation, EMPTY } from "./conversation";
import type { Entry } from "./entry";
import { asMarkdown, entryAsMarkdown, turnAsMarkdown } from "./markdown";

const common = { seq: 1, at: "2026-01-01T00:00:00.000Z" };
const entries: Entry[] = [
  { ...common, kind: "message", key: "m", messageId: "m", input: [{ type: "text", text: "Hello" }], state: "completed", attempt: 1 },
  { ...common, kind: "item", key: "c", itemId: "c", item: { type: "commandExecution", command: "cat a", aggregatedOutput: "```\n" }, streamed: {}, done: true },
  { ...common, kind: "item", key: "a", itemId: "a", item: { type: "agentMessage", text: "Done." }, streamed: {}, done: true },
];

it("has what was said and done, in order, with fences that hold", () => {
  const conversation: Conversation = { ...EMPTY, order: ["m", "c", "a"], entries: new Map(entries.map((entry) => [entry.key, entry])) };
  expect(asMarkdown("A title", conversation)).toBe("# A title\n\n## You\n\nHello\n\n````console\n$ cat a\n```\n````\n\nDone.\n");
});

it("begins with what a fork took over, or says that it is gone", () => {
  const before: Conversation = { ...EMPTY, order: ["a"], entries: new Map(entries.map((entry) => [entry.key, entry])) };
  const past = [
    { sessionId: "0000-11112222", at: common.at, conversation: undefined },
    { sessionId: "0000-33334444", at: common.at, conversation: before },
  ];
  const own: Conversation = { ...before, order: ["m"] };
  expect(asMarkdown("Fork", own, past)).toBe(
    [
      "# Fork",
      "*What was taken over from session `11112222` was removed with it.*\n\n---\n\n*Forked here.*",
      "*Taken over from session `33334444`:*\n\nDone.\n\n---\n\n*Forked here.*",
      "## You\n\nHello\n",
    ].join("\n\n"),
  );
});

it("can be had of one message, and of a turn with everything in it", () => {
  const item = (id: string, raw: { type: string; [field: string]: unknown }, turnId: string): Entry =>
    ({ ...common, kind: "item", key: id, itemId: id, turnId, item: raw, streamed: {}, done: true });
  const all = new Map<string, Entry>();
  const message: Entry = { ...common, kind: "message", key: "message:m", messageId: "m", input: [{ type: "text", text: "Look" }], state: "completed", attempt: 1 };
  const inner = item("inner", { type: "agentMessage", text: "Found." }, "t-child");
  const agent: Entry = { ...common, kind: "agent", key: "agent:c", threadId: "c", order: ["inner"], done: true };
  const spawn = item("call", { type: "collabAgentToolCall", tool: "spawnAgent", receiverThreadIds: ["c"] }, "t");
  const others = [message, spawn, agent, inner, item("a", { type: "agentMessage", text: "Done." }, "t"), item("b", { type: "agentMessage", text: "Other." }, "u")];
  for (const entry of others) all.set(entry.key, entry);
  expect(entryAsMarkdown(message)).toBe("Look");
  const turn = { id: "t", startedAt: common.at, messageIds: ["m"] };
  expect(turnAsMarkdown(turn, all)).toBe("## You\n\nLook\n\n> Found.\n\nDone.\n");
});
