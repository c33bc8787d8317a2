// Whether something is in sight or soon will be: it is made then, and stays.
import { type RefObject, useEffect, useState } from "react";

const MARGIN = "800px";

export function useNear(element: RefObject<HTMLElement | null>, atOnce: boolean): boolean {
  const [near, setNear] = useState(atOnce || typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const watched = element.current;
    if (near || !watched) return undefined;
    // `scrollMargin` counts inside of what scrolls on the page, where `rootMargin` does not; not every browser has it.
    const options = { rootMargin: MARGIN, scrollMargin: MARGIN };
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), options);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, near]);
  return near || atOnce;
}
