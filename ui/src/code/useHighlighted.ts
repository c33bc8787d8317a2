// The highlighter as it becomes available: until then, and for what is too long, code is plain.
import { useEffect, useMemo } from "react";
import { Cell, useStore } from "../model/store";
import type { highlight } from "./highlight";

const loaded = new Cell<{ highlight: typeof highlight } | undefined>(undefined);
let asked = false;
const LONGEST = 50_000;

export function useHighlighted(code: string, language: string | undefined) {
  const found = useStore(loaded);
  useEffect(() => {
    if (asked || !language) return;
    asked = true;
    // Without it code is plain, which is no reason for a message.
    import("./highlight").then((module) => loaded.set(module), () => (asked = false));
  }, [language]);
  return useMemo(
    () => (found && language && code.length <= LONGEST ? found.highlight(code, language) : undefined),
    [found, code, language],
  );
}
