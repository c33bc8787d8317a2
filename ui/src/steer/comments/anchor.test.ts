import { describe, expect, it } from "vitest";
import { linesOf } from "../../diff/line";
import { parseChange } from "../../diff/parse";
import { anchorAt, findIn, withMore } from "./anchor";

const added = (...lines: string[]) => linesOf(parseChange({ path: "a", kind: "add", diff: `${lines.join("\n")}\n` }));
const before = added("fn a() {", "    first();", "}", "fn b() {", "    second();", "}");

describe("a comment's lines", () => {
  it("are found where they moved to", () => {
    const anchor = anchorAt(before, { from: 3, to: 4 });
    expect(findIn(added("use x;", "", "fn a() {", "}", "fn b() {", "    second();", "}"), anchor)).toEqual({ from: 4, to: 5 });
  });

  it("are told from others that read the same by what stands around them", () => {
    const last = anchorAt(before, { from: 5, to: 5 });
    expect(findIn(added("// new", ...["fn a() {", "    first();", "}", "fn b() {", "    second();", "}"]), last)).toEqual({ from: 6, to: 6 });
  });

  it("can be joined with more of them, in the same hunk", () => {
    expect(withMore(before, anchorAt(before, { from: 4, to: 4 }), { from: 1, to: 2 })).toEqual({ from: 1, to: 4 });
    const hunks = linesOf(parseChange({ path: "a", kind: "update", diff: "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,1 @@\n-c\n+d\n" }));
    expect(withMore(hunks, anchorAt(hunks, { from: 0, to: 0 }), { from: 3, to: 3 })).toEqual({ from: 3, to: 3 });
  });

  it("are gone when they were changed", () => {
    const anchor = anchorAt(before, { from: 4, to: 4 });
    expect(findIn(added("fn a() {", "    first();", "}", "fn b() {", "    third();", "}"), anchor)).toBeUndefined();
  });

  it("are gone, and not somewhere else by chance", () => {
    const brace = anchorAt(before, { from: 2, to: 2 });
    expect(findIn(added("x", "y", "z", "w", "}", "v"), brace)).toBeUndefined();
  });

  it("are others when they were removed, not added", () => {
    const removed = linesOf(parseChange({ path: "a", kind: "delete", diff: "fn a() {\n" }));
    expect(findIn(removed, anchorAt(before, { from: 0, to: 0 }))).toBeUndefined();
  });
});
