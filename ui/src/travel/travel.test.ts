import { afterEach, describe, expect, it, vi } from "vitest";
import { address, parse } from "../lib/route";
import { EMPTY, reduce } from "../model/conversation";
import { thinned, turnFrom } from "./marks";
import { EVENTS, FakeClock, recordedGateway, seqOf, travelled } from "./testing";

afterEach(() => vi.unstubAllGlobals());

const last = EVENTS.length;
const between = (from: number, to: number): number => Date.parse(EVENTS[to - 1]?.at ?? "") - Date.parse(EVENTS[from - 1]?.at ?? "");

describe("a journey", () => {
  it("shows the session as it was, of pages that are read in order", async () => {
    const asked = recordedGateway();
    const { now, end } = await travelled(150);
    expect(now().conversation).toEqual(reduce(EMPTY, EVENTS.slice(0, 150)));
    expect(now().event?.seq).toBe(150);
    expect(asked.map(({ path }) => path)).toEqual([0, 100, 200, 300].map((after) => `/v1/sessions/s/events?after=${after}`));
    end();
  });

  it("steps by events and by turns, and not past the ends", async () => {
    recordedGateway();
    const { travel, now, end } = await travelled(2);
    travel.step(-1);
    travel.step(-1);
    expect(now().seq).toBe(1);
    travel.turn(1);
    expect(now().seq).toBe(seqOf("turn.started", 0));
    travel.turn(1);
    expect(now().seq).toBe(seqOf("turn.started", 1));
    travel.turn(-1);
    expect(now().seq).toBe(seqOf("turn.started", 0));
    travel.goTo(last);
    travel.step(1);
    expect(now().seq).toBe(last);
    end();
  });

  it("says that an event has not happened, and shows it when it does", async () => {
    recordedGateway(200);
    const { session, now, end } = await travelled(210);
    expect(now()).toMatchObject({ conversation: undefined, last: 200, reading: false });
    for (const listen of session.listeners) listen(EVENTS.slice(200, 215));
    expect(now()).toMatchObject({ seq: 210, last: 215 });
    expect(now().conversation).toEqual(reduce(EMPTY, EVENTS.slice(0, 210)));
    end();
  });

  it("is not moved by what happens meanwhile, and reads what it missed of it", async () => {
    const asked = recordedGateway(200);
    const { session, now, end } = await travelled(50);
    const before = now().conversation;
    recordedGateway(220);
    for (const listen of session.listeners) listen(EVENTS.slice(210, 220));
    await vi.waitFor(() => expect(now().last).toBe(220));
    expect(asked.length).toBe(2);
    expect(now().seq).toBe(50);
    expect(now().conversation).toBe(before);
    end();
    expect(session.listeners.size).toBe(0);
  });

  it("says what is wrong when the events cannot be read, and reads them when asked again", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    const { travel, now, end } = await travelled(5);
    expect(now().problem?.message).toBe("the gateway does not answer");
    recordedGateway();
    await travel.read();
    expect(now()).toMatchObject({ problem: undefined, last });
    end();
  });
});

describe("a replay", () => {
  it("takes the time it took, divided by the speed", async () => {
    recordedGateway();
    const [from, to] = [seqOf("item.delta", 0), seqOf("item.delta", 20)];
    for (const speed of [1, 2, 5] as const) {
      const { travel, clock, now, end } = await travelled(from);
      travel.setSpeed(speed);
      travel.play();
      clock.pass(between(from, to) / speed - 21);
      expect(now().seq).toBeLessThan(to);
      clock.pass(42);
      expect(now().seq).toBeGreaterThanOrEqual(to);
      end();
    }
  });

  it("gives the list time to draw what a high speed brings", async () => {
    recordedGateway();
    const { travel, clock, now, end } = await travelled(1);
    travel.setSpeed(50);
    travel.play();
    let steps = 0;
    const stop = travel.state.subscribe(() => (steps += 1));
    clock.pass(160);
    expect(steps).toBeLessThanOrEqual(2);
    expect(now().seq).toBeGreaterThan(100);
    stop();
    end();
  });

  it("waits at most two seconds for anything", async () => {
    const late = EVENTS.map((event) => (event.seq > 3 ? { ...event, at: new Date(Date.parse(event.at) + 3_600_000).toISOString() } : event));
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ events: late, last_seq: late.length }))));
    const { travel, clock, now, end } = await travelled(3);
    travel.play();
    clock.pass(1_900);
    expect(now().seq).toBe(3);
    clock.pass(200);
    expect(now().seq).toBeGreaterThan(3);
    end();
  });

  it("stops at the end, and begins again from there", async () => {
    recordedGateway();
    const clock = new FakeClock();
    const { travel, now, end } = await travelled(last - 2, clock);
    travel.play();
    clock.pass(60_000);
    expect(now()).toMatchObject({ seq: last, playing: false });
    expect(clock.runs).toBe(false);
    travel.toggle();
    expect(now()).toMatchObject({ seq: 1, playing: true });
    end();
    expect(clock.runs).toBe(false);
  });

  it("goes on from where the reader puts it, and rests when they step", async () => {
    recordedGateway();
    const { travel, clock, now, end } = await travelled(20);
    travel.play();
    clock.pass(100);
    travel.goTo(200);
    clock.pass(40);
    expect(now().seq).toBeGreaterThanOrEqual(200);
    travel.step(-1);
    const rests = now().seq;
    clock.pass(5_000);
    expect(now()).toMatchObject({ seq: rests, playing: false });
    end();
  });

  it("shows whole steps to who wants no motion", async () => {
    recordedGateway();
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const { travel, clock, now, end } = await travelled(1);
    travel.setSpeed(5);
    travel.play();
    const seen = new Set<string>();
    for (let frame = 0; frame < 400; frame += 1) {
      clock.pass(20);
      if (now().event?.type) seen.add(now().event?.type ?? "");
    }
    expect(now().seq).toBeGreaterThan(seqOf("item.delta", 60));
    expect(seen.has("item.delta")).toBe(false);
    end();
  });
});

describe("a link to a moment", () => {
  it("is an address, and the address is the moment", () => {
    const route = { page: "session", id: "s", view: "talk", at: 123 } as const;
    expect(address(route)).toBe("/s/s?at=123");
    expect(parse("/s/s", "?at=123")).toEqual(route);
    expect(parse("/s/s/usage", "?at=7")).toEqual({ page: "session", id: "s", view: "usage", at: 7 });
  });

  it.each(["", "?at=", "?at=0", "?at=-3", "?at=x", "?at=1.5", "?at=99999999999999999999"])("is now if it names no event: %s", (query) => {
    expect(parse("/s/s", query)).toEqual({ page: "session", id: "s", view: "talk" });
  });
});

describe("marks", () => {
  it("show the gravest where several fall together, and are never too many", () => {
    const marks = Array.from({ length: 5_000 }, (_, index) => ({ seq: index + 1, kind: index === 2_500 ? ("failure" as const) : ("turn" as const) }));
    const shown = thinned(marks, 5_000, 100);
    expect(shown.length).toBeLessThanOrEqual(101);
    expect(shown.filter(({ kind }) => kind === "failure")).toEqual([{ seq: 2_501, kind: "failure" }]);
  });

  it("lead to the ends where there is no turn", () => {
    expect(turnFrom([], 5, -1, 9)).toBe(1);
    expect(turnFrom([], 5, 1, 9)).toBe(9);
  });
});
