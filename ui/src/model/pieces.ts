// What came of an item piece by piece, and where the whole item has it. History leaves the pieces out that a whole item holds, so
// they are forgotten when it comes: the conversation is the same whether they were told or not.
import { isFields } from "../lib/fields";
import type { CodexItem, ItemEntry } from "./entry";

type Streamed = ItemEntry["streamed"];
type Kind = keyof Streamed;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isList = (of: (value: unknown) => boolean) => (value: unknown): boolean => Array.isArray(value) && of(value[0]);
const isWords = isList((value) => typeof value === "string");

const HELD_BY: Record<Kind, (item: CodexItem) => boolean> = {
  text: (item) => isText(item["text"]),
  plan: (item) => isText(item["text"]),
  output: (item) => isText(item["aggregatedOutput"]),
  reasoning: (item) => isWords(item["content"]),
  reasoning_summary: (item) => isWords(item["summary"]),
  patch: (item) => isList(isFields)(item["changes"]),
};

const NOTHING: Streamed = {};

/** The pieces that have to be kept: all of them until the item is whole, then those of which it holds nothing. */
export function notHeld(streamed: Streamed = NOTHING, whole?: CodexItem): Streamed {
  if (!whole) return streamed;
  const kinds = Object.keys(streamed) as Kind[];
  const kept = kinds.filter((kind) => !HELD_BY[kind](whole));
  if (kept.length === kinds.length) return streamed;
  return Object.fromEntries(kept.map((kind) => [kind, streamed[kind]]));
}
