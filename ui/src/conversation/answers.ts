// Which answers have become whole: only those are read out, and only if they were seen growing, so that a history that is read
// again is not read out.
import { textOf } from "../lib/fields";
import type { Conversation } from "../model/conversation";

/** What still grows is among the last. */
const LOOKED_AT = 30;
const LONGEST = 2_000;

interface Answers {
  /** As they are spoken. */
  whole: string[];
  growing: ReadonlySet<string>;
}

export function answers(before: ReadonlySet<string>, { order, entries }: Pick<Conversation, "order" | "entries">): Answers {
  const whole: string[] = [];
  const growing = new Set<string>();
  for (const key of order.slice(-LOOKED_AT)) {
    const entry = entries.get(key);
    if (entry?.kind !== "item" || entry.item.type !== "agentMessage") continue;
    if (!entry.done) growing.add(key);
    else if (before.has(key)) whole.push(spoken(textOf(entry.item["text"]) ?? entry.streamed.text ?? ""));
  }
  return { whole, growing };
}

/** Words without the marks of markdown; code is only named. */
export function spoken(markdown: string): string {
  const words = markdown
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gm, "(code)")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^ {0,3}(#{1,6}|>)[ \t]+/gm, "")
    .replace(/\*\*|__|`/g, "")
    .trim();
  return words.length <= LONGEST ? words : `${words.slice(0, LONGEST)} … and more`;
}
