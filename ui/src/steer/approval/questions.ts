// What was answered to Codex's questions.
import type { Question } from "./request";

export interface Given {
  /** The label of the option; nothing for an answer of one's own. */
  choice?: string;
  text: string;
}

export interface Gathered {
  answers: Record<string, string[]>;
  objections: ReadonlyMap<string, string>;
}

export function gather(questions: readonly Question[], given: Readonly<Record<string, Given>>): Gathered {
  const answers: Record<string, string[]> = {};
  const objections = new Map<string, string>();
  for (const { id, options, isOther } of questions) {
    const { choice, text = "" } = given[id] ?? { text: "" };
    const said = choice ?? text.trim();
    if (said !== "") answers[id] = [said];
    else objections.set(id, options.length > 0 && !isOther ? "Choose one." : options.length > 0 ? "Choose one, or write your own." : "An answer is needed.");
  }
  return { answers, objections };
}
