// The filter in use: what the address says, else what was chosen last in this browser. The address is kept up to date, so that it can
// be given to somebody else.
import { useEffect } from "react";
import { useRoute } from "../../lib/route";
import { Cell, useStore } from "../../model/store";
import { remembered } from "../remembered";
import { type Chosen, type Filter, NOTHING, readFilter, toggled, writeFilter, type Kind } from "./filter";

const store = remembered<Chosen>("filter", NOTHING);

export const filter = new Cell<Filter>(readFilter(location.search) ?? { chosen: store.get(), query: "" });

export function choose(chosen: Chosen): void {
  filter.update((state) => ({ ...state, chosen }));
  store.set(chosen);
}

export const toggle = (kind: Kind, value: string): void => choose(toggled(filter.get().chosen, kind, value));

export const search = (query: string): void => filter.update((state) => ({ ...state, query }));

export function showAll(): void {
  choose(NOTHING);
  search("");
}

export function useFilterInAddress(): void {
  const route = useRoute();
  const wanted = useStore(filter);
  useEffect(() => {
    const { pathname, search, hash } = location;
    const written = writeFilter(search, wanted);
    // What came by a link is kept too.
    store.set(wanted.chosen);
    if (written !== search) history.replaceState(history.state, "", pathname + written + hash);
  }, [route, wanted]);
}
