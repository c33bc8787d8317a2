// Whether something is in sight or soon will be: only then it is made. What was seen and is far away again keeps its height.
import { type RefObject, useEffect, useState } from "react";

const MARGIN = "800px";

export interface Near {
  near: boolean;
  /** What it had when it was last there. */
  height: number | undefined;
}

export function useNear(element: RefObject<HTMLElement | null>, always: boolean): Near {
  const [state, setState] = useState<Near>({ near: always || typeof IntersectionObserver === "undefined", height: undefined });
  useEffect(() => {
    const watched = element.current;
    if (always || !watched || typeof IntersectionObserver === "undefined") return undefined;
    // `scrollMargin` counts inside of what scrolls on the page, where `rootMargin` does not; not every browser has it.
    const options = { rootMargin: MARGIN, scrollMargin: MARGIN };
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (!last) return;
      const { isIntersecting: near, boundingClientRect } = last;
      setState((before) => (before.near === near ? before : { near, height: near ? before.height : boundingClientRect.height }));
    }, options);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, always]);
  return always ? { ...state, near: true } : state;
}
