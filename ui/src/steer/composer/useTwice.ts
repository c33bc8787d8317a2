// Something that is done only on the second of two quick presses.
import { useRef } from "react";

const QUICK = 800;

export function useTwice(act: () => void): () => void {
  const last = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    const now = performance.now();
    const twice = now - last.current < QUICK;
    last.current = twice ? Number.NEGATIVE_INFINITY : now;
    if (twice) act();
  };
}
