import { expect, it } from "vitest";
import { labelsInUse, parseLabel, suggestions, withLabel, withoutLabel, wordsOfLabels } from "./labels";

it("reads what people write", () => {
  expect(parseLabel(" team : blue ")).toEqual(["team", "blue"]);
  expect(parseLabel("team=blue")).toEqual(["team", "blue"]);
  expect(parseLabel("urgent")).toEqual(["urgent", ""]);
  expect(parseLabel("link:http://x")).toEqual(["link", "http://x"]);
  expect(parseLabel("a,b")).toEqual(["a b", ""]);
  expect(parseLabel(" :x")).toBeUndefined();
});

it("has one value for each name", () => {
  const labels = withLabel(withLabel({ urgent: "" }, "team:blue"), "team:red");
  expect(wordsOfLabels(labels)).toEqual(["urgent", "team:red"]);
  expect(withoutLabel(labels, "urgent")).toEqual({ team: "red" });
  expect(withLabel(labels, "  ")).toBe(labels);
});

it("offers what is in use elsewhere, the most frequent first", () => {
  const known = labelsInUse([{ labels: { team: "blue" } }, { labels: { team: "blue", urgent: "" } }, { labels: { spike: "" } }, {}]);
  expect(known).toEqual(["team:blue", "spike", "urgent"]);
  expect(suggestions(known, { spike: "" }, "")).toEqual(["team:blue", "urgent"]);
  expect(suggestions(known, {}, "URG")).toEqual(["urgent"]);
});
