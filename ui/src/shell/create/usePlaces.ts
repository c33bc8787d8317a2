// Directories that complete what was typed, as the gateway sees them.
import { useEffect, useState } from "react";
import { ask, Refused } from "../../api/client";
import type { Named } from "../../api/types";

interface Places {
  paths: string[];
  /** Why there are none. */
  problem: string | undefined;
}

const NOTHING: Places = { paths: [], problem: undefined };

export function usePlaces(typed: string): Places {
  const [places, setPlaces] = useState(NOTHING);
  const path = typed.trim();
  useEffect(() => {
    const stop = new AbortController();
    // A word that is no path is looked for among the recent ones alone.
    if (path !== "" && !path.startsWith("/")) return setPlaces(NOTHING);
    const query = path ? `?path=${encodeURIComponent(path)}` : "";
    ask<{ items: Named[] }>("GET", `/v1/fs${query}`, { signal: stop.signal }).then(
      ({ items }) => setPlaces({ paths: items.filter(({ kind }) => kind === "directory").map((item) => item.path), problem: undefined }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setPlaces({ paths: [], problem: error instanceof Refused ? error.message : undefined });
      },
    );
    return () => stop.abort();
  }, [path]);
  return places;
}
