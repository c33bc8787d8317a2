// Colours for a piece of a diff, made when the page is idle: the lines are there first.
import { useEffect, useState } from "react";
import { whenIdle } from "../code/idle";
import type { Token } from "../code/tokens";
import { useHighlighter } from "../code/useHighlighted";
import { type Colours, coloursOf } from "./colours";
import type { DiffLine } from "./line";
import type { Piece } from "./rows";

/** Made once for each piece, though it is scrolled away and comes back. */
const made = new WeakMap<readonly DiffLine[], Map<string, Colours>>();

export function useColours(lines: readonly DiffLine[], { from, to }: Piece, language: string | undefined) {
  const highlight = useHighlighter(language !== undefined);
  const key = `${from}-${to}`;
  const known = made.get(lines)?.get(key);
  const [, renderAgain] = useState(0);
  useEffect(() => {
    if (known || !highlight || language === undefined) return undefined;
    return whenIdle(() => {
      const ofFile = made.get(lines) ?? new Map<string, Colours>();
      made.set(lines, ofFile.set(key, coloursOf(lines, from, to, language, highlight)));
      renderAgain((count) => count + 1);
    });
  }, [known, highlight, language, lines, key, from, to]);
  return (at: number): readonly Token[] | undefined => known?.get(at);
}
