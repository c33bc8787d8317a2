// What was sent before, with the arrow keys: the conversation itself is the history.
import type { Conversation } from "../../model/conversation";
import type { InputPart } from "../../api/types";

export const textOf = (input: readonly InputPart[]): string =>
  input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** Texts that were sent, oldest first, each once where it stands several times in a row. */
export function sentTexts(conversation: Conversation): string[] {
  const texts: string[] = [];
  for (const key of conversation.order) {
    const entry = conversation.entries.get(key);
    if (entry?.kind !== "message") continue;
    const text = textOf(entry.input);
    if (text.trim() !== "" && text !== texts.at(-1)) texts.push(text);
  }
  return texts;
}

/** Where somebody is in the history: `index` counts back from the newest, and `kept` is what they were writing. */
export interface Looking {
  index: number;
  kept: string;
}

export interface Step {
  looking: Looking | undefined;
  text: string;
}

export function earlier(texts: readonly string[], now: string, looking: Looking | undefined): Step | undefined {
  const index = (looking?.index ?? -1) + 1;
  const text = texts.at(-1 - index);
  if (index >= texts.length || text === undefined) return undefined;
  return { looking: { index, kept: looking?.kept ?? now }, text };
}

export function later(texts: readonly string[], looking: Looking | undefined): Step | undefined {
  if (!looking) return undefined;
  if (looking.index === 0) return { looking: undefined, text: looking.kept };
  const index = looking.index - 1;
  return { looking: { ...looking, index }, text: texts.at(-1 - index) ?? looking.kept };
}

/** Arrows leave the text only from its edges: up from the first line, down from the last. */
export const onFirstLine = (text: string, caret: number): boolean => !text.slice(0, caret).includes("\n");
export const onLastLine = (text: string, caret: number): boolean => !text.slice(caret).includes("\n");
