// Whether the sidebar is there: beside the page where there is room, as a sheet above it on a phone.
import { useSyncExternalStore } from "react";
import { Cell, useStore } from "../model/store";
import { remembered } from "./remembered";

const store = remembered("sidebar-folded", false);
const folded = new Cell(store.get());

/** The sheet of a phone. */
export const sheet = new Cell(false);

const narrow = matchMedia("(max-width: 760px)");

export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      narrow.addEventListener("change", changed);
      return () => narrow.removeEventListener("change", changed);
    },
    () => narrow.matches,
  );

export const useFolded = (): boolean => useStore(folded);

export function toggleSidebar(): void {
  if (narrow.matches) return sheet.set(!sheet.get());
  folded.set(!folded.get());
  store.set(folded.get());
}
