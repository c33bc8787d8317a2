// How diffs are shown: remembered for the next time; a narrow page has room for one way only.
import { useEffect, useState } from "react";
import type { Layout } from "../../diff/layout";

const KEPT = "selvedge.diff-layout";
const NARROW = "(max-width: 48rem)";

export function useLayout(): [layout: Layout, choose: (layout: Layout) => void] {
  const [chosen, setChosen] = useState<Layout>(() => (localStorage.getItem(KEPT) === "split" ? "split" : "unified"));
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const changed = () => setNarrow(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  const choose = (layout: Layout) => {
    localStorage.setItem(KEPT, layout);
    setChosen(layout);
  };
  return [narrow ? "unified" : chosen, choose];
}
