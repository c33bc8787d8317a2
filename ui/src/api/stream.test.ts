import { afterEach, expect, it, vi } from "vitest";
import { type Connection, SILENCE, follow } from "./stream";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Streams that say one event each, and then nothing until they are given up. */
function silentStreams(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { signal }: { signal: AbortSignal }) => {
    asked.push(path);
    const event = `id: ${asked.length}\ndata: {"seq":${asked.length}}\n\n`;
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(event));
        signal.addEventListener("abort", () => stream.error(signal.reason));
      },
    });
    return new Response(body);
  });
  return asked;
}

it("tells what was there, and then that it has", async () => {
  const said: unknown[] = [];
  const text = 'id: 1\nevent: a\ndata: {"seq":1}\n\nid: 4\nevent: a\ndata: {"seq":4}\n\nid: 4\nevent: settled\ndata: {"seq":4}\n\n';
  vi.stubGlobal("fetch", async () => new Response(new Blob([text]).stream()));
  const listener = { events: (events: { seq: number }[]) => said.push(events.map(({ seq }) => seq)), settled: () => said.push("settled") };
  const stop = follow("/events?settled=true", "0", { ...listener, connection: () => {} });
  await vi.waitFor(() => expect(said.at(-1)).toBe("settled"));
  stop();
  expect(said.slice(0, -1).flat()).toEqual([1, 4]);
});

it("says nothing more when it was stopped, not even what it has read", async () => {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ start: (given) => void (stream = given) })));
  const events = vi.fn();
  const connection = vi.fn();
  const stop = follow("/events", "0", { events, connection });
  await vi.waitFor(() => expect(connection).toHaveBeenLastCalledWith("live"));
  stream?.enqueue(new TextEncoder().encode('id: 1\ndata: {"seq":1}\n\n'));
  stop();
  stream?.close();
  await new Promise((done) => setTimeout(done));
  expect(events).not.toHaveBeenCalled();
});

it.each(["offline", "online"])("is read anew from where it was when the browser is %s", async (change) => {
  const asked = silentStreams();
  const seen: number[] = [];
  const states: Connection[] = [];
  const stop = follow("/events", "0", {
    events: (events) => seen.push(...events.map(({ seq }) => seq)),
    connection: (state) => states.push(state),
  });
  await vi.waitFor(() => expect(seen).toEqual([1]));
  dispatchEvent(new Event(change));
  await vi.waitFor(() => expect(seen).toEqual([1, 2]));
  stop();
  expect(asked).toEqual(["/events?after=0", "/events?after=1"]);
  expect(states, "nobody is told that the gateway is away").toEqual(["connecting", "live", "connecting", "live"]);
});

it("is read anew when nothing was heard for too long", async () => {
  vi.useFakeTimers();
  const asked = silentStreams();
  const states: Connection[] = [];
  const stop = follow("/events", "0", { events: () => {}, connection: (state) => states.push(state) });
  await vi.advanceTimersByTimeAsync(SILENCE - 1);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  stop();
  expect(asked).toEqual(["/events?after=0", "/events?after=1"]);
  expect(states).toEqual(["connecting", "live", "away", "connecting", "live"]);
});
