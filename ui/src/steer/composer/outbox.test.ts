import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fleet } from "../../model/fleet";
import { type Asked, gateway } from "../testing";
import { deliver, send, sendAgain, watchOutboxes } from "./deliver";
import { change, forget, outboxOf, settle } from "./outbox";

const say = (text: string) => ({ text, pictures: [] });
const words = say("hello");
const took = (id: string) => ({ status: 202, body: { message_id: id, state: "queued" } });
const kept = (session: string) => sessionStorage.getItem(`selvedge.outbox.${session}`);
const texts = (asked: readonly Asked[]) => asked.map(({ body }) => (body as { text: string }).text);
const connection = (now: "live" | "away") => fleet.update((state) => ({ ...state, connection: now }));
/** Until what was begun has come to its end. */
const delivered = (...sessions: string[]) => Promise.all(sessions.map(deliver));

beforeEach(() => {
  sessionStorage.clear();
  connection("away");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a message on its way", () => {
  it("is there at once, and goes when the conversation has it", async () => {
    gateway(() => took("m1"));
    const sent = send("s1", words, "steer");
    expect(outboxOf("s1").get()).toMatchObject([{ state: "sending", draft: words }]);
    await sent;
    settle("s1", () => false);
    expect(outboxOf("s1").get()).toMatchObject([{ state: "accepted", messageId: "m1" }]);
    settle("s1", (id) => id === "m1");
    expect(outboxOf("s1").get()).toEqual([]);
  });

  it("stays with the reason when it is refused, and can be sent again with the same key", async () => {
    let full = true;
    const refusal = { status: 507, body: { code: "storage_full", title: "x", detail: "the disk is full", status: 507 } };
    const asked = gateway(() => (full ? refusal : took("m2")));
    await send("s2", words, undefined);
    const [refused] = outboxOf("s2").get();
    expect(refused).toMatchObject({ state: "refused", error: { text: "the disk is full" } });
    full = false;
    if (refused) await sendAgain("s2", refused);
    expect(asked[1]?.key).toBe(asked[0]?.key);
    expect(outboxOf("s2").get()).toMatchObject([{ state: "accepted", messageId: "m2" }]);
    if (refused) forget("s2", refused.key);
    expect(kept("s2")).toBeNull();
  });

  it("carries pictures as parts, and how it is to be sent", async () => {
    const asked = gateway(() => took("m"));
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

describe("while the gateway is away", () => {
  it("messages wait, and go by themselves when it is back: in their order, each once", async () => {
    const stop = watchOutboxes();
    let away = true;
    const asked = gateway(({ body }) => (away ? "unreachable" : took((body as { text: string }).text)));
    await Promise.all([send("a1", say("one"), undefined), send("a1", say("two"), undefined), send("a2", say("other"), undefined)]);
    expect(outboxOf("a1").get().map(({ state }) => state)).toEqual(["waiting", "waiting"]);
    const [first] = asked;
    asked.length = 0;
    away = false;
    connection("live");
    await delivered("a1", "a2");
    expect(texts(asked.filter(({ path }) => path.includes("a1")))).toEqual(["one", "two"]);
    expect(texts(asked.filter(({ path }) => path.includes("a2")))).toEqual(["other"]);
    expect(asked[0]?.key).toBe(first?.key);
    connection("away");
    connection("live");
    await delivered("a1", "a2");
    expect(asked).toHaveLength(3);
    stop();
  });

  it("they survive a reload, those of sessions that nobody looks at too", async () => {
    const stop = watchOutboxes();
    const asked = gateway(() => took("m"));
    const written = [
      { key: "k1", draft: words, state: "sending" },
      { key: "k2", draft: say("more"), state: "waiting" },
    ];
    sessionStorage.setItem("selvedge.outbox.r1", JSON.stringify(written));
    connection("live");
    await delivered("r1");
    expect(asked.map(({ key }) => key)).toEqual(["k1", "k2"]);
    stop();
  });

  it("one that is being changed is not sent under the writer's hands, and nothing overtakes it", async () => {
    let away = true;
    const asked = gateway(({ body }) => (away ? "unreachable" : took((body as { text: string }).text)));
    await Promise.all([send("e1", say("one"), undefined), send("e1", say("two"), undefined)]);
    const [one] = outboxOf("e1").get();
    const as = (next: object) => one && change("e1", one.key, (it) => ({ ...it, ...next }));
    as({ state: "editing" });
    away = false;
    asked.length = 0;
    await deliver("e1");
    expect(asked).toHaveLength(0);
    as({ state: "waiting", draft: say("one, better") });
    await deliver("e1");
    expect(texts(asked)).toEqual(["one, better", "two"]);
  });

  it("one that had arrived before it was changed is not said twice by itself", async () => {
    let used = true;
    const refusal = { status: 422, body: { code: "key_reused", title: "x", detail: "x", status: 422 } };
    const asked = gateway(() => (used ? refusal : took("m")));
    await send("u1", words, undefined);
    const [changed] = outboxOf("u1").get();
    expect(changed).toMatchObject({ state: "refused", error: { text: "it had arrived before you changed it" } });
    used = false;
    if (changed) await sendAgain("u1", changed);
    expect(asked[1]?.key).not.toBe(asked[0]?.key);
  });

  it("is not what a refusal means: but a gateway that ends, or a proxy before one that is gone, is away", async () => {
    let answer: { status: number; body: unknown } = { status: 503, body: { code: "draining", title: "x", detail: "x", status: 503 } };
    gateway(() => answer);
    await send("d1", words, undefined);
    expect(outboxOf("d1").get()[0]?.state).toBe("waiting");
    answer = { status: 502, body: "bad gateway" };
    await deliver("d1");
    expect(outboxOf("d1").get()[0]?.state).toBe("waiting");
    answer = { status: 503, body: { code: "codex_missing", title: "x", detail: "there is no Codex", status: 503 } };
    await deliver("d1");
    expect(outboxOf("d1").get()[0]?.state).toBe("refused");
  });

  it("it is tried again after a while where the feed did not notice anything", async () => {
    vi.useFakeTimers();
    connection("live");
    let away = true;
    const asked = gateway(() => (away ? "unreachable" : took("m")));
    await send("t1", words, undefined);
    away = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(2);
    expect(outboxOf("t1").get()[0]?.state).toBe("accepted");
  });
});
