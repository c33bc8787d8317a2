import { expect, it } from "vitest";
import { type Conversation, EMPTY } from "../../model/conversation";
import type { Entry } from "../../model/entry";
import { asMarkdown } from "./markdown";

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
