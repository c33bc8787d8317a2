// What entries need to know of the session they stand in. Each is a context, so that an entry renders again only for itself.
import { createContext, useContext } from "react";
import type { Entry } from "../model/entry";

export interface Place {
  sessionId: string;
  /** Where commands run unless they say otherwise. */
  cwd: string | undefined;
}

export const PlaceContext = createContext<Place>({ sessionId: "", cwd: undefined });
export const usePlace = (): Place => useContext(PlaceContext);

/** All entries, for those that show others inside themselves. */
export const EntriesContext = createContext<ReadonlyMap<string, Entry>>(new Map());
