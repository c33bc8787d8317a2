import { describe, expect, it } from "vitest";
import { EMPTY, reduce } from "../model/conversation";
import { Checkpoints } from "./checkpoints";
import { Recording } from "./recording";
import { EVENTS } from "./testing";

function recording(): Recording {
  const made = new Recording();
  made.add(EVENTS);
  return made;
}

/** The same numbers each time, in no order. */
function shuffled(count: number, seed: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (let last = count - 1, state = seed; last > 0; last -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (last + 1);
    [numbers[last], numbers[other]] = [numbers[other] ?? 1, numbers[last] ?? 1];
  }
  return numbers;
}

describe("a recording", () => {
  it.each([1, 7, 42])("is at every event what the reducer makes of the events until then, wherever one comes from (%i)", (seed) => {
    const made = recording();
    for (const seq of shuffled(EVENTS.length, seed)) {
      expect(made.at(seq)).toEqual(reduce(EMPTY, EVENTS.slice(0, seq)));
    }
  });

  it("keeps what one step does not touch as the same object", () => {
    const made = recording();
    const before = made.at(200);
    const after = made.at(201);
    expect([...before.entries.values()].filter((entry) => after.entries.get(entry.key) !== entry).length).toBeLessThanOrEqual(1);
  });

  it("takes no event that stands for several", () => {
    const made = new Recording();
    const [first, second] = EVENTS;
    if (!first || !second) throw new Error("nothing was recorded");
    expect(made.add([first, { ...second, began: { seq: 1, at: first.at } }])).toBe(false);
    expect(made.last).toBe(1);
  });

  it("takes nothing twice, and says when something is missing", () => {
    const made = new Recording();
    expect(made.add(EVENTS.slice(0, 10))).toBe(true);
    expect(made.add(EVENTS.slice(5, 12))).toBe(true);
    expect(made.last).toBe(12);
    expect(made.add(EVENTS.slice(20, 22))).toBe(false);
    expect(made.last).toBe(12);
  });

  it("marks turns, and what was asked", () => {
    const kinds = recording().marks.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "turn")).toHaveLength(EVENTS.filter(({ type }) => type === "turn.started").length);
    expect(kinds.filter((kind) => kind === "approval")).toHaveLength(EVENTS.filter(({ type }) => type === "approval.requested").length);
  });
});

describe("checkpoints", () => {
  it("stay few, and near enough, however long the session is", () => {
    const checkpoints = new Checkpoints(4);
    const far = 100_000;
    for (let seq = 1; seq <= far; seq += 1) checkpoints.offer({ ...EMPTY, seq });
    expect(checkpoints.count).toBeLessThanOrEqual(64);
    for (const seq of [1, 4, 999, 50_000, far]) {
      const from = checkpoints.before(seq).seq;
      expect(from).toBeLessThanOrEqual(seq);
      expect(checkpoints.after(from)).toBeGreaterThan(seq);
      expect(seq - from).toBeLessThan(far / 16);
    }
  });
});
