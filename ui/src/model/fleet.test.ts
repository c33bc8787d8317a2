import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Event, SessionSummary } from "../api/types";
import { fleet, reduceFleet, refresh, watchFleet } from "./fleet";
import { aSession } from "./testing";

const session = (more: Partial<SessionSummary> = {}) => aSession({ name: "s", state: "running", last_seq: 4, ...more });

const event = (seq: number, type: string, data: unknown): Event =>
  ({ seq, session_id: "s", at: "2026-01-01T00:00:00.000Z", type, data }) as Event;
const asks = event(5, "approval.requested", { approval_id: "a", kind: "command", request: {} });
const waits = event(6, "session.state", { state: "waiting", previous: "running" });

/** A gateway whose answers come when a test says so, and whose feed says what a test says. */
class Gateway {
  private readonly asked = new Map<string, (response: Response) => void>();
  private say: ((text: string) => void) | undefined;

  readonly fetch = (path: string): Promise<Response> => {
    if (!path.startsWith("/v1/events")) return new Promise((answer) => this.asked.set(path, answer));
    const text = new ReadableStream<Uint8Array>({ start: (stream) => void (this.say = (said) => stream.enqueue(new TextEncoder().encode(said))) });
    return Promise.resolve(new Response(text));
  };

  readonly feed = (...events: Event[]): void => this.say?.(events.map((each) => `id: ${each.seq}\ndata: ${JSON.stringify(each)}\n\n`).join(""));

  async answer(path: string, body: unknown): Promise<void> {
    await vi.waitFor(() => expect([...this.asked.keys()]).toContain(path));
    this.asked.get(path)?.(new Response(JSON.stringify(body)));
    this.asked.delete(path);
  }
}

const FRESH = fleet.get();
let gateway: Gateway;
let leave: (() => void) | undefined;

beforeEach(() => {
  gateway = new Gateway();
  vi.stubGlobal("fetch", gateway.fetch);
  fleet.set(FRESH);
});

afterEach(() => {
  leave?.();
  vi.unstubAllGlobals();
});

async function listed(): Promise<void> {
  leave = watchFleet();
  await gateway.answer("/v1/sessions?archived=true&limit=200", { items: [session()] });
  await gateway.answer("/v1/approvals?state=pending", { items: [] });
  await vi.waitFor(() => expect(fleet.get().listed).toBe(true));
}

const known = () => fleet.get().sessions.get("s");

describe("what waits is seen", () => {
  it("also if it began to wait while the sessions were listed", async () => {
    leave = watchFleet();
    await gateway.answer("/v1/sessions?archived=true&limit=200", { items: [session()] });
    gateway.feed(asks, waits);
    await vi.waitFor(() => expect(fleet.get().approvals).toHaveLength(1));
    await gateway.answer("/v1/approvals?state=pending", { items: [] });
    await vi.waitFor(() => expect(fleet.get().listed).toBe(true));
    expect(known()?.state).toBe("waiting");
    expect(fleet.get().approvals).toHaveLength(1);
  });

  it("also if it began to wait while it was asked for", async () => {
    await listed();
    const asked = refresh("s");
    gateway.feed(asks, waits);
    await vi.waitFor(() => expect(fleet.get().approvals).toHaveLength(1));
    await gateway.answer("/v1/sessions/s", session());
    await asked;
    expect(known()?.state).toBe("waiting");
  });
});

it("takes an event that the list knew already for what it is: old", () => {
  const state = { ...FRESH, sessions: new Map([["s", session({ state: "idle", last_seq: 9 })]]) };
  expect(reduceFleet(state, waits)).toBe(state);
});

it("lets labels go", () => {
  const state = { ...FRESH, sessions: new Map([["s", session({ labels: { team: "blue" } })]]) };
  const after = reduceFleet(state, event(5, "session.updated", { name: "s", cwd: "/p/shop" }));
  expect(after.sessions.get("s")?.labels).toEqual({});
});

it("asks for a session whose queue moved", async () => {
  await listed();
  gateway.feed(event(7, "message.accepted", { message_id: "m", input: [], busy_policy: "queue", position: 1 }));
  await gateway.answer("/v1/sessions/s", session({ queued: 1, last_seq: 7 }));
  await vi.waitFor(() => expect(known()?.queued).toBe(1));
});

it("keeps what a later answer said when an earlier question is answered after it", async () => {
  leave = watchFleet();
  await gateway.answer("/v1/sessions?archived=true&limit=200", { items: [session({ queued: 1, last_seq: 4 })] });
  const asked = refresh("s");
  await gateway.answer("/v1/sessions/s", session({ queued: 1, held: true, last_seq: 9 }));
  await asked;
  await gateway.answer("/v1/approvals?state=pending", { items: [] });
  await vi.waitFor(() => expect(fleet.get().listed).toBe(true));
  expect(known()?.held).toBe(true);
});
