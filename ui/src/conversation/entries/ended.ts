// How an item went, in a word and a tone.
import type { ItemEntry } from "../../model/entry";
import { numberOf, textOf } from "../../lib/fields";

export interface Went {
  words: string | undefined;
  tone: "plain" | "red" | "amber";
}

export function howItWent({ item, done, closed }: ItemEntry): Went {
  const status = textOf(item["status"]);
  if (closed) return { words: closed.replaceAll("_", " "), tone: "amber" };
  if (!done) return { words: "running", tone: "plain" };
  if (status === "declined") return { words: "declined", tone: "amber" };
  if (status === "interrupted") return { words: "interrupted", tone: "amber" };
  const exit = numberOf(item["exitCode"]);
  if (exit !== undefined) return { words: `exit ${exit}`, tone: exit === 0 ? "plain" : "red" };
  if (status === "failed" || item["success"] === false) return { words: "failed", tone: "red" };
  return { words: undefined, tone: "plain" };
}
