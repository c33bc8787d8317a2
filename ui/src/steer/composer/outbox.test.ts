import { beforeEach, describe, expect, it, vi } from "vitest";
import { gateway } from "../testing";
import { forget, outboxOf, send, sendAgain, settle } from "./outbox";

const words = { text: "hello", pictures: [] };

describe("a message on its way", () => {
  beforeEach(() => {
    sessionStorage.clear();
    vi.unstubAllGlobals();
  });

  it("is there at once, and goes when the conversation has it", async () => {
    gateway(() => ({ status: 202, body: { message_id: "m1", state: "queued" } }));
    const sent = send("s1", words, "steer");
    expect(outboxOf("s1").get()).toMatchObject([{ state: "sending", draft: words }]);
    await sent;
    settle("s1", () => false);
    expect(outboxOf("s1").get()).toMatchObject([{ state: "accepted", messageId: "m1" }]);
    settle("s1", (id) => id === "m1");
    expect(outboxOf("s1").get()).toEqual([]);
  });

  it("stays with its error, and is sent again with the same key", async () => {
    let away = true;
    const asked = gateway(() => (away ? "unreachable" : { status: 202, body: { message_id: "m2", state: "queued" } }));
    await send("s2", words, undefined);
    const [failed] = outboxOf("s2").get();
    expect(failed).toMatchObject({ state: "failed", error: { text: "the gateway does not answer" } });
    expect(sessionStorage.getItem("selvedge.outbox.s2")).toContain("hello");
    away = false;
    if (failed) await sendAgain("s2", failed);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.key).toBe(asked[0]?.key);
    expect(outboxOf("s2").get()).toMatchObject([{ state: "accepted", messageId: "m2" }]);
    if (failed) forget("s2", failed.key);
    expect(sessionStorage.getItem("selvedge.outbox.s2")).toBeNull();
  });

  it("can be sent again after the page was closed in the middle", () => {
    const kept = { key: "k", draft: words, state: "sending" };
    sessionStorage.setItem("selvedge.outbox.s3", JSON.stringify([kept]));
    expect(outboxOf("s3").get()).toMatchObject([{ key: "k", state: "failed", draft: words }]);
  });

  it("carries pictures as parts, and how it is to be sent", async () => {
    const asked = gateway(() => ({ status: 202, body: { message_id: "m", state: "queued" } }));
    await send("s4", { text: "look", pictures: [{ id: "p", name: "p", url: "data:image/png;base64,AA" }] }, "interrupt");
    expect(asked[0]?.body).toEqual({
      input: [
        { type: "image", url: "data:image/png;base64,AA" },
        { type: "text", text: "look" },
      ],
      busy_policy: "interrupt",
    });
  });
});
