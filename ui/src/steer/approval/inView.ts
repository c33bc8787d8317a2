// Which cards somebody can see right now: what is in sight needs no sign that points to it.
import { type RefObject, useEffect } from "react";
import { Cell } from "../../model/store";

export const cardsInView = new Cell<ReadonlySet<string>>(new Set());

function note(approval: string, seen: boolean): void {
  cardsInView.update((known) => {
    if (known.has(approval) === seen) return known;
    const next = new Set(known);
    if (seen) next.add(approval);
    else next.delete(approval);
    return next;
  });
}

export function useInView(card: RefObject<HTMLElement | null>, approval: string): void {
  useEffect(() => {
    const element = card.current;
    if (!element || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver(([entry]) => note(approval, entry?.isIntersecting ?? false));
    observer.observe(element);
    return () => {
      observer.disconnect();
      note(approval, false);
    };
  }, [card, approval]);
}
