import { describe, expect, it } from "vitest";
import { aSession } from "../../model/testing";
import type { KnownSession } from "../known";
import { choicesFor } from "./choices";
import { passes, readFilter, toggled, writeFilter } from "./filter";

const session = (id: string, more: Partial<KnownSession> = {}): KnownSession => aSession({ id, ...more });

describe("a filter", () => {
  const blue = session("a", { labels: { team: "blue" }, model: "m1", state: "running" });

  it("lets through what fits every kind, and any of what was chosen of a kind", () => {
    expect(passes(blue, {}, 0)).toBe(true);
    expect(passes(blue, { label: ["team:red", "team:blue"], model: ["m1"] }, 0)).toBe(true);
    expect(passes(blue, { label: ["team:blue"], model: ["m2"] }, 0)).toBe(false);
    expect(passes(blue, { project: ["/p/shop"], archived: ["no"] }, 0)).toBe(true);
  });

  it("takes what asks a person for what waits", () => {
    expect(passes(blue, { state: ["waits"] }, 0)).toBe(false);
    expect(passes(blue, { state: ["waits"] }, 1)).toBe(true);
  });

  it("is the same after it was in an address, beside what else stands there", () => {
    const filter = { chosen: { state: ["waits", "failed"], label: ["team:blue & more"], project: ["/p/a b"] }, query: "log in" };
    const address = writeFilter("?at=12&state=idle", filter);
    expect(new URLSearchParams(address).get("at")).toBe("12");
    expect(readFilter(address)).toEqual(filter);
    expect(readFilter("?at=12")).toBeUndefined();
    expect(writeFilter(address, { chosen: {}, query: "" })).toBe("?at=12");
  });

  it("has nothing of a kind when its last choice is taken away", () => {
    expect(toggled(toggled({}, "state", "idle"), "state", "idle")).toEqual({});
  });

  it("offers what tells sessions apart, with counts, and what is chosen though nothing has it", () => {
    const offered = choicesFor([blue, session("b"), session("c", { archived: true })], new Map(), { label: ["gone"] });
    expect(offered.map(({ kind, choices }) => [kind, choices.map(({ words, count }) => `${words} ${count}`)])).toEqual([
      ["state", ["Working 1", "Idle 2"]],
      ["label", ["team:blue 1", "gone 0"]],
      ["model", ["Standard model 2", "m1 1"]],
      ["archived", ["Not archived 2", "Archived 1"]],
    ]);
  });
});
