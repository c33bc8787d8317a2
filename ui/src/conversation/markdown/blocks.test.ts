import { describe, expect, it } from "vitest";
import { splitBlocks } from "./blocks";

describe("markdown in pieces", () => {
  it("is the same text when put together", () => {
    const text = "# A\n\nb\n\n```\nx\n\ny\n```\n\n1. one\n\n2. two\n\nend";
    expect(splitBlocks(text).join("")).toBe(text);
  });

  it("is cut between paragraphs, and not inside code or lists", () => {
    expect(splitBlocks("a\n\nb")).toHaveLength(2);
    expect(splitBlocks("```\na\n\nb\n```")).toHaveLength(1);
    expect(splitBlocks("````\n```\n\nb\n````\n\nc")).toHaveLength(2);
    expect(splitBlocks("1. a\n\n2. b\n\n   more")).toHaveLength(1);
    expect(splitBlocks("> a\n\n> b")).toHaveLength(1);
  });

  it("leaves a text whole in which names are defined", () => {
    expect(splitBlocks("see [a]\n\nb\n\n[a]: https://example.org")).toHaveLength(1);
  });

  it("keeps its finished pieces while the text grows", () => {
    const before = splitBlocks("one\n\ntwo\n\nthr");
    expect(splitBlocks("one\n\ntwo\n\nthree and more").slice(0, 2)).toEqual(before.slice(0, 2));
  });
});
