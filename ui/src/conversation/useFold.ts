// Open or folded, remembered for the session: a row that is scrolled away and comes back is as the reader left it.
import { useCallback, useState } from "react";
import { usePlace } from "./context";

export function useFold(key: string, initially: boolean): [open: boolean, toggle: () => void] {
  const { folds } = usePlace();
  const [chosen, choose] = useState(folds.get(key));
  const open = chosen ?? initially;
  const toggle = useCallback(() => {
    folds.set(key, !open);
    choose(!open);
  }, [folds, key, open]);
  return [open, toggle];
}
