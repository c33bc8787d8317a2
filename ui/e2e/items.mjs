// Sessions of many items, all of them said as fast as the pipe takes them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VISITS } from "./talk.mjs";

/** What `[items]` makes, and what `[some items]` does. */
export const ITEMS_A_TURN = 2_000;
const SOME = 100;

/** The words of the visits, and `[items]`: messages of one to nine lines and, each fifth, a thought. */
export function scenarioOfItems(directory) {
  const file = join(directory, "items.toml");
  const rules = [rule("items", ITEMS_A_TURN), rule("some items", SOME)];
  writeFileSync(file, [readFileSync(VISITS, "utf8"), ...rules].join("\n"));
  return file;
}

function rule(words, count) {
  const items = Array.from({ length: count }, (_, at) => item(at));
  return `[[rule]]\nregex = '\\[${words}\\]\\s*$'\nstep = [ { do = [\n${items.join(",\n")}\n] } ]\n`;
}

function item(at) {
  const words = "and so it went on from there. ".repeat((at % 9) * 4 + 1);
  return at % 5 === 4
    ? `{ think = { text = "**Thought ${at}**\\n\\n${words}", deltas = 1 } }`
    : `{ say = { text = "Item ${at}: ${words}", deltas = 1 } }`;
}
