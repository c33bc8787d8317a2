import { describe, expect, it } from "vitest";
import type { Event } from "../../api/types";
import { glimpseOf } from "./glimpse";

let seq = 0;
const event = (type: string, data: unknown, item_id?: string): Event =>
  ({ seq: ++seq, session_id: "s", at: "2026-01-01T00:00:00.000Z", type, data, ...(item_id ? { item_id } : {}) }) as Event;
const said = event("message.accepted", { message_id: "m", input: [{ type: "text", text: "Fix it" }], busy_policy: "queue", position: 0 });
const started = event("item.started", { item: { type: "commandExecution", command: "cargo test" } }, "i");
const ended = event("item.completed", { item: { type: "commandExecution", command: "cargo test" } }, "i");

describe("what a session does", () => {
  it("is what is under way, else what it was asked", () => {
    expect(glimpseOf([said, started])).toEqual({ words: "Running", what: "cargo test" });
    expect(glimpseOf([said, started, ended])).toEqual({ words: "Fix it" });
    expect(glimpseOf([])).toBeUndefined();
  });

  it("is why it failed, until it goes on", () => {
    const failed = event("session.state", { state: "failed", previous: "running", reason: "Codex ended three times" });
    expect(glimpseOf([said, started, failed])).toEqual({ words: "Codex ended three times" });
    expect(glimpseOf([failed, event("session.state", { state: "running", previous: "failed" }), said])).toEqual({ words: "Fix it" });
  });
});
