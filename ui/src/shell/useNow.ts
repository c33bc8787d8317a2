// The time, for what shows how old something is: it changes twice a minute, and for everybody at once.
import { useSyncExternalStore } from "react";
import { Cell } from "../model/store";

const EVERY = 30_000;
const now = new Cell(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(changed: () => void): () => void {
  const leave = now.subscribe(changed);
  if (watchers++ === 0) timer = setInterval(() => now.set(Date.now()), EVERY);
  return () => {
    leave();
    if (--watchers === 0) clearInterval(timer);
  };
}

export const useNow = (): number => useSyncExternalStore(subscribe, now.get);
