import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Event } from "../api/types";
import { WatchedSession } from "./session";

let stop = () => {};
let session: WatchedSession;
let gateway: Gateway;
const published: number[] = [];

beforeEach(() => {
  gateway = new Gateway();
  session = new WatchedSession("s");
  published.length = 0;
  session.state.subscribe(() => {
    const { seq } = session.state.get().conversation;
    if (published.at(-1) !== seq) published.push(seq);
  });
  stop = session.watch();
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Streams that say what they are told to. */
class Gateway {
  readonly asked: string[] = [];
  private streams: ReadableStreamDefaultController<Uint8Array>[] = [];

  constructor() {
    vi.stubGlobal("fetch", async (path: string, { signal }: RequestInit) => {
      this.asked.push(path);
      const start = (stream: ReadableStreamDefaultController<Uint8Array>) => {
        this.streams.push(stream);
        signal?.addEventListener("abort", () => stream.error(signal.reason));
      };
      return new Response(new ReadableStream({ start }));
    });
  }

  async says(...frames: string[]): Promise<void> {
    await vi.waitFor(() => expect(this.streams).not.toEqual([]));
    this.streams.at(-1)?.enqueue(new TextEncoder().encode(frames.join("")));
  }

  async ends(): Promise<void> {
    this.streams.pop()?.close();
  }
}

const warning = (seq: number): string => {
  const event = { seq, session_id: "s", at: "2026-01-01T00:00:00.000Z", type: "session.warning", data: { code: "c", message: "m" } };
  return `id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`;
};
const settled = (seq: number): string => `id: ${seq}\nevent: settled\ndata: {"seq":${seq}}\n\n`;
const reaches = (seq: number) => vi.waitFor(() => expect(session.state.get().conversation.seq).toBe(seq));

it("puts its history in as one, however it comes, and lets it pass numbers over", async () => {
  const heard: number[] = [];
  session.listeners.add((events: readonly Event[]) => heard.push(...events.map(({ seq }) => seq)));
  await gateway.says(warning(1), warning(5));
  await gateway.says(warning(6), warning(9), settled(9));
  await reaches(9);
  expect(published).toEqual([0, 9]);
  expect(heard).toEqual([1, 5, 6, 9]);
  expect(gateway.asked).toEqual(["/v1/sessions/s/events?settled=true&after=0"]);
});

it("begins before somebody looks, and goes on with whoever does", async () => {
  const other = new WatchedSession("other");
  other.expect();
  const leave = other.watch();
  await vi.waitFor(() => expect(gateway.asked.filter((path) => path.includes("other"))).toHaveLength(1));
  leave();
  other.watch()();
  await vi.waitFor(() => expect(gateway.asked.filter((path) => path.includes("other"))).toHaveLength(2));
});

it("reads again from what is sure when something is missing of what is live", async () => {
  await gateway.says(warning(1), settled(1), warning(2));
  await reaches(2);
  await gateway.says(warning(4));
  await vi.waitFor(() => expect(gateway.asked.at(-1)).toBe("/v1/sessions/s/events?settled=true&after=2"));
  await gateway.says(warning(4), settled(4));
  await reaches(4);
});

it("shows what it has when the gateway goes in the middle of its history, and goes on from there", async () => {
  await gateway.says(warning(3));
  await gateway.ends();
  await reaches(3);
  await vi.waitFor(() => expect(gateway.asked.at(-1)).toBe("/v1/sessions/s/events?settled=true&after=3"));
  await gateway.says(warning(7), settled(7));
  await reaches(7);
  expect(session.state.get().conversation.order).toEqual(["mark:3", "mark:7"]);
});
