// A stream of events that comes back by itself: where it was, with nothing lost and nothing twice. It is read with `fetch`
// and not with `EventSource`, because a long history comes in large pieces that are better handed on as one, and because
// `EventSource` does not say why it failed.
import { Refused, refusal } from "./client";
import type { Event } from "./types";

export type Connection = "connecting" | "live" | "away" | "refused";

export interface Listener {
  /** Events in order; many at once while history is read. */
  events(events: Event[]): void;
  /** What was there when the stream was opened has been said, if it was asked to tell that shortly. */
  settled?(): void;
  connection(state: Connection, why?: Refused): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
/** The gateway says something every 15 seconds, if only that it is there: silence this long is a dead connection. */
export const SILENCE = 45_000;

/** Follows a stream until the answer is called. `cursor` is where to begin: after that `id`. */
export function follow(path: string, cursor: string, listener: Listener): () => void {
  const stop = new AbortController();
  void keepFollowing(path, cursor, listener, stop.signal);
  return () => stop.abort();
}

async function keepFollowing(path: string, cursor: string, listener: Listener, signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    listener.connection("connecting");
    const network = new NetworkChange(signal);
    const silence = new Silence(network.signal);
    try {
      cursor = await readOnce(path, cursor, listener, silence, () => (wait = FIRST_WAIT));
    } catch (error) {
      silence.forget();
      if (signal.aborted) return;
      if (error instanceof Refused && error.status < 500 && error.status !== 429) {
        listener.connection("refused", error);
        return;
      }
      if (error instanceof Ended) cursor = error.cursor;
    }
    silence.forget();
    if (signal.aborted) return;
    if (network.happened) continue;
    listener.connection("away");
    await pause(wait, network.signal);
    network.forget();
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

/** A stream may be dead without a word when the network went, and possible again when it came: either way it is tried anew at once. */
class NetworkChange {
  readonly signal: AbortSignal;
  private readonly change = new AbortController();

  constructor(stop: AbortSignal) {
    this.signal = AbortSignal.any([stop, this.change.signal]);
    const changed = () => this.change.abort();
    for (const name of ["offline", "online"]) addEventListener(name, changed, { signal: this.signal });
  }

  get happened(): boolean {
    return this.change.signal.aborted;
  }

  forget(): void {
    this.change.abort();
  }
}

/** Gives a connection up that says nothing for too long: a network may swallow it without a word. */
class Silence {
  readonly signal: AbortSignal;
  private readonly dead = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stop: AbortSignal) {
    this.signal = AbortSignal.any([stop, this.dead.signal]);
    this.heard();
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.dead.abort(), SILENCE);
  }

  forget(): void {
    clearTimeout(this.timer);
  }
}

/** The connection broke after this cursor. */
class Ended extends Error {
  readonly cursor: string;

  constructor(cursor: string) {
    super("the stream ended");
    this.cursor = cursor;
  }
}

async function readOnce(
  path: string,
  cursor: string,
  listener: Listener,
  silence: Silence,
  connected: () => void,
): Promise<string> {
  const at = path.includes("?") ? "&" : "?";
  const response = await fetch(`${path}${at}after=${encodeURIComponent(cursor)}`, {
    headers: { accept: "text/event-stream" },
    credentials: "same-origin",
    cache: "no-store",
    signal: silence.signal,
  });
  if (!response.ok) throw await refusal(response);
  if (!response.body) throw new Ended(cursor);
  connected();
  listener.connection("live");
  const frames = new Frames(cursor);
  // By hand: a stream between two streams costs a task for each piece of a long history.
  const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // It may have been read already when it was stopped: whoever follows anew must not hear it.
      silence.signal.throwIfAborted();
      silence.heard();
      if (done) return frames.cursor;
      const events = frames.push(decoder.decode(value, { stream: true }));
      if (events.length > 0) listener.events(events);
      if (frames.tookMark()) listener.settled?.();
    }
  } catch {
    throw new Ended(frames.cursor);
  }
}

/** Takes text in pieces, gives whole events. */
export class Frames {
  cursor: string;
  private rest = "";
  private marked = false;

  constructor(cursor: string) {
    this.cursor = cursor;
  }

  push(text: string): Event[] {
    const whole = this.rest + text;
    const events: Event[] = [];
    let from = 0;
    for (;;) {
      const end = whole.indexOf("\n\n", from);
      if (end < 0) break;
      this.frame(whole.slice(from, end), events);
      from = end + 2;
    }
    this.rest = whole.slice(from);
    return events;
  }

  /** Whether the end of history was among what came since the last time. */
  tookMark(): boolean {
    const { marked } = this;
    this.marked = false;
    return marked;
  }

  private frame(frame: string, events: Event[]): void {
    let data = "";
    let isMark = false;
    for (const line of frame.split("\n")) {
      if (line.startsWith("id:")) this.cursor = line.slice(3).trim();
      else if (line.startsWith("data:")) data += line.slice(5).trimStart();
      else if (line === "event: settled") isMark = true;
    }
    if (isMark) this.marked = true;
    else if (data) events.push(JSON.parse(data) as Event);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
