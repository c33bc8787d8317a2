// Open or folded, remembered for as long as a view is: a row that is scrolled away and comes back is as the reader left it.
import { createContext, useCallback, useContext, useState } from "react";

/** What the reader opened or closed, by key. */
export const FoldsContext = createContext(new Map<string, boolean>());

export function useFold(key: string, initially: boolean): [open: boolean, toggle: () => void] {
  const folds = useContext(FoldsContext);
  const [chosen, choose] = useState(folds.get(key));
  const open = chosen ?? initially;
  const toggle = useCallback(() => {
    folds.set(key, !open);
    choose(!open);
  }, [folds, key, open]);
  return [open, toggle];
}
