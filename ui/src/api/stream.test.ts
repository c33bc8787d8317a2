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
