// Items that came and said nothing: a row for them would be a gap.
import type { Entry } from "../../model/entry";
import { textOf, wordsOf } from "../../lib/fields";

export function hasNothingToShow(entry: Entry): boolean {
  if (entry.kind !== "item") return false;
  const { item, streamed, done } = entry;
  if (item.type === "reasoning") {
    const told = wordsOf(item["summary"]).length + wordsOf(item["content"]).length > 0;
    return !told && !streamed.reasoning && !streamed.reasoning_summary;
  }
  if (item.type === "agentMessage") return !done && !textOf(item["text"]) && !streamed.text;
  return false;
}
