// What a session does now. The feed of all sessions does not say it; whenever the feed says that something happened, the end of the
// session's own events is read. Nothing is asked for sessions that rest.
import { useEffect, useState } from "react";
import { ask } from "../../api/client";
import type { Event } from "../../api/types";
import { type Glimpse, glimpseOf } from "./glimpse";

const READ = 400;

export function useGlimpse(id: string, lastSeq: number, wanted: boolean): Glimpse | undefined {
  const [glimpse, setGlimpse] = useState<Glimpse>();
  useEffect(() => {
    if (!wanted) return setGlimpse(undefined);
    const stop = new AbortController();
    const path = `/v1/sessions/${encodeURIComponent(id)}/events?after=${Math.max(0, lastSeq - READ)}`;
    ask<{ events: Event[] }>("GET", path, { signal: stop.signal }).then(
      ({ events }) => setGlimpse((before) => glimpseOf(events) ?? before),
      () => undefined,
    );
    return () => stop.abort();
  }, [id, lastSeq, wanted]);
  return glimpse;
}
