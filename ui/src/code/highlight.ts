// Colours for code: a part of its own, fetched when the first code is shown.
import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);

export type Tree = ReturnType<typeof lowlight.highlight>;

/** The code as a tree of classes; nothing for a language that is not known. */
export function highlight(code: string, language: string): Tree | undefined {
  return lowlight.registered(language) ? lowlight.highlight(language, code) : undefined;
}
