// Following the end without ever fighting the reader. It follows while the reader is at the end; any move upwards lets go, and
// only coming back to the end (or the button) takes hold again.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

/** So near counts as the end. */
const END = 16;
/** A movement this long after the reader's own hand is the reader's. */
const HAND = 400;
/** So long the list may still put its rows right after their heights were known. */
const SETTLING = 250;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);
/** By finger and by mouse: a finger that scrolls is no pointer any more, and the browser says so with a cancel. */
const PRESSES = ["touchstart", "mousedown"] as const;
const RELEASES = ["touchend", "touchcancel", "mouseup"] as const;

export interface Follow {
  following: boolean;
  /** To be told of each scrolling. */
  scrolled(): void;
  toEnd(): void;
  letGo(): void;
}

export function useFollow(scroller: RefObject<HTMLElement | null>): Follow {
  const [following, setFollowing] = useState(true);
  const held = useRef(true);
  const last = useRef(0);
  const height = useRef(0);
  const grown = useRef(0);
  const hand = useRef(0);
  /** A finger lies on it, or the mouse holds its scrollbar. */
  const pressed = useRef(false);

  const hold = useCallback((now: boolean) => {
    held.current = now;
    setFollowing(now);
  }, []);

  const measure = useCallback((element: HTMLElement) => {
    if (element.scrollHeight !== height.current) grown.current = performance.now();
    height.current = element.scrollHeight;
    last.current = element.scrollTop;
  }, []);

  const pin = useCallback(() => {
    const element = scroller.current;
    if (!element || !held.current) return;
    element.scrollTop = element.scrollHeight;
    measure(element);
  }, [scroller, measure]);

  const scrolled = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const rest = element.scrollHeight - element.clientHeight - element.scrollTop;
    const upwards = element.scrollTop < last.current - 1;
    const downwards = element.scrollTop > last.current + 1;
    measure(element);
    // The list moves the place, too, when rows turn out to be of another height: then the whole has just changed its height.
    const byList = performance.now() - grown.current < SETTLING;
    const byHand = pressed.current || performance.now() - hand.current < HAND;
    if (held.current && upwards && (byHand ? rest > 1 : rest > END && !byList)) hold(false);
    else if (held.current && upwards && rest > END) pin();
    else if (!held.current && downwards && rest <= END) hold(true);
  }, [scroller, hold, measure, pin]);

  // The content grows by new rows and by rows that turn out higher than was thought: both are seen here.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // At once: what is drawn first is the end already.
    pin();
    const touched = () => (hand.current = performance.now());
    const wheeled = (event: WheelEvent) => event.deltaY < 0 && touched();
    const keyed = ({ key, shiftKey }: KeyboardEvent) => (UPWARDS.has(key) || (key === " " && shiftKey)) && touched();
    const press = () => (pressed.current = true);
    const release = () => {
      if (pressed.current) touched();
      pressed.current = false;
    };
    element.addEventListener("wheel", wheeled, { passive: true });
    element.addEventListener("touchmove", touched, { passive: true });
    element.addEventListener("keydown", keyed);
    for (const begin of PRESSES) element.addEventListener(begin, press, { passive: true });
    for (const end of RELEASES) addEventListener(end, release, { passive: true });
    const sizes = new ResizeObserver(pin);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    return () => {
      element.removeEventListener("wheel", wheeled);
      element.removeEventListener("touchmove", touched);
      element.removeEventListener("keydown", keyed);
      for (const begin of PRESSES) element.removeEventListener(begin, press);
      for (const end of RELEASES) removeEventListener(end, release);
      sizes.disconnect();
    };
  }, [scroller, pin]);

  const toEnd = useCallback(() => {
    hold(true);
    pin();
  }, [hold, pin]);

  return { following, scrolled, toEnd, letGo: useCallback(() => hold(false), [hold]) };
}
