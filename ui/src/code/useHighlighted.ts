// The highlighter as it becomes available: until then, and for what is too long, code is plain.
import { useEffect, useMemo } from "react";
import { Cell, useStore } from "../model/store";
import type { highlight } from "./highlight";

const loaded = new Cell<{ highlight: typeof highlight } | undefined>(undefined);
let asked = false;
export const LONGEST = 50_000;

/** Fetched when the first code wants it. */
export function useHighlighter(wanted: boolean): typeof highlight | undefined {
  const found = useStore(loaded);
  useEffect(() => {
    if (asked || !wanted) return;
    asked = true;
    // Without it code is plain, which is no reason for a message.
    import("./highlight").then((module) => loaded.set(module), () => (asked = false));
  }, [wanted]);
  return found?.highlight;
}

export function useHighlighted(code: string, language: string | undefined) {
  const highlight = useHighlighter(language !== undefined);
  return useMemo(
    () => (highlight && language && code.length <= LONGEST ? highlight(code, language) : undefined),
    [highlight, code, language],
  );
}
