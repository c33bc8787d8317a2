// What a session is called: by its name, else by the first words that were said to it.
import { remembered } from "./remembered";
import { Cell } from "../model/store";

const KEPT = 300;
const LONGEST = 60;
const store = remembered<Record<string, string>>("first-words", {});

/** By session, for those that were looked at here: the list of sessions does not say it. */
export const firstWords = new Cell<Readonly<Record<string, string>>>(store.get());

/** The first line, cut at a word. */
export function wordsOf(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.replace(/\s+/g, " ") ?? "";
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 20))}…`;
}

export function rememberFirstWords(id: string, text: string): void {
  const words = wordsOf(text);
  if (!words || firstWords.get()[id] === words) return;
  const rest = Object.entries(firstWords.get()).filter(([known]) => known !== id);
  firstWords.set(Object.fromEntries([...rest.slice(1 - KEPT), [id, words]]));
  store.set(firstWords.get());
}

export const titleOf = (session: { id: string; name?: string | null }, words: Readonly<Record<string, string>>): string =>
  session.name || words[session.id] || "New session";
