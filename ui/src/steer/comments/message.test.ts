import { describe, expect, it } from "vitest";
import { linesOf } from "../../diff/line";
import { parseChange } from "../../diff/parse";
import { anchorAt } from "./anchor";
import type { Comment } from "./comments";
import { asMessage, linesInWords } from "./message";

const file = parseChange({ path: "/w/src/a.rs", kind: "update", diff: "@@ -1,4 +1,4 @@\n one\n-two\n+zwei\n three\n four\n" });
const comment = (from: number, to: number, text: string, path = "/w/src/a.rs"): Comment => ({
  id: `${from}${to}`, where: "changes", path, text, ...anchorAt(linesOf(file), { from, to }),
});

describe("comments as a message", () => {
  it("are one text: file, lines, the lines themselves, the words", () => {
    const text = asMessage([comment(3, 3, "Four is better.", "/w/src/b.rs"), comment(1, 2, "  Why German?\n")], "/w");
    expect(text).toBe(
      [
        "2 comments on the changes:",
        "`src/a.rs`, line 2:\n```diff\n-two\n+zwei\n```\nWhy German?",
        "`src/b.rs`, line 3:\n```diff\n three\n```\nFour is better.",
      ].join("\n\n"),
    );
  });

  it("stand in the order of the file, whenever they were written", () => {
    const text = asMessage([comment(4, 4, "second"), comment(0, 0, "first")], undefined);
    expect(text.indexOf("first")).toBeLessThan(text.indexOf("second"));
    expect(text).toContain("`/w/src/a.rs`");
  });

  it("have a fence that no line of theirs can close", () => {
    const fenced = parseChange({ path: "a.md", kind: "add", diff: "````\ncode\n````\n" });
    const on = { ...comment(0, 0, "x"), ...anchorAt(linesOf(fenced), { from: 0, to: 2 }) };
    expect(asMessage([on], undefined)).toContain("`````diff\n+````\n+code\n+````\n`````\nx");
  });

  it("say a very long range by its beginning and its end", () => {
    const long = parseChange({ path: "a", kind: "add", diff: Array.from({ length: 200 }, (_, at) => `l${at}`).join("\n") });
    const text = asMessage([{ ...comment(0, 0, "x"), ...anchorAt(linesOf(long), { from: 0, to: 199 }) }], undefined);
    expect(text).toContain("lines 1–200");
    expect(text).toContain("+l39\n… 140 more lines …\n+l180");
  });
});

it("names lines by their numbers now, and those that are gone by what they were", () => {
  const lines = linesOf(file);
  expect(linesInWords(lines.slice(0, 5))).toBe("lines 1–4");
  expect(linesInWords(lines.slice(2, 3))).toBe("line 2");
  expect(linesInWords(lines.slice(1, 2))).toBe("line 2 before the change");
});
