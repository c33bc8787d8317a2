// The journey that the address asks for (`?at=123`), for as long as it does. The address follows the reader once they rest.
import { useEffect, useMemo, useRef } from "react";
import { currentRoute, go } from "../lib/route";
import type { WatchedSession } from "../model/session";
import { Cell, useStore } from "../model/store";
import { Travel, type Travelled } from "./travel";

/** Browsers refuse an address that changes too often. */
const REST = 250;
const NOWHERE = new Cell<Travelled | undefined>(undefined);

export interface Journey extends Travelled {
  travel: Travel;
}

export function useTravel(session: WatchedSession, at: number | undefined): Journey | undefined {
  const away = at !== undefined;
  // Only where it begins: later events of the address are gone to.
  const start = useRef(at);
  start.current = at;
  const travel = useMemo(() => (away ? new Travel(session, start.current ?? 1) : undefined), [session, away]);
  useEffect(() => travel?.begin(), [travel]);
  const state = useStore<Travelled | undefined>(travel?.state ?? NOWHERE);
  const written = useRef(at);

  useEffect(() => {
    if (at === undefined || at === written.current) return;
    written.current = at;
    travel?.goTo(at);
  }, [travel, at]);

  const { seq, playing } = state ?? {};
  useEffect(() => {
    if (seq === undefined || playing) return undefined;
    const timer = setTimeout(() => {
      const route = currentRoute();
      if (route.page !== "session" || route.id !== session.id || route.at === undefined) return;
      written.current = seq;
      go({ ...route, at: seq }, true);
    }, REST);
    return () => clearTimeout(timer);
  }, [session.id, seq, playing]);

  return useMemo(() => (travel && state ? { ...state, travel } : undefined), [travel, state]);
}
