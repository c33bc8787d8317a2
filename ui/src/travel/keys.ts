// Keys of a journey: one table, for the handler and for the sheet that shows them. Like all single letters they count only where
// nobody types; the slider is no such place.
import { useEffect } from "react";
import type { ShortcutGroup } from "../steer/shortcuts";
import { backToNow } from "./entry";
import type { Travel } from "./travel";

interface Bound {
  key: string;
  shown: readonly string[];
  does: string;
  act(travel: Travel): void;
}

const BOUND: readonly Bound[] = [
  { key: "p", shown: ["P"], does: "Play or pause", act: (travel) => travel.toggle() },
  { key: ",", shown: [","], does: "Event before", act: (travel) => travel.step(-1) },
  { key: ".", shown: ["."], does: "Event after", act: (travel) => travel.step(1) },
  { key: "<", shown: ["<"], does: "Turn before", act: (travel) => travel.turn(-1) },
  { key: ">", shown: [">"], does: "Turn after", act: (travel) => travel.turn(1) },
  { key: "Escape", shown: ["Esc"], does: "Back to now", act: backToNow },
];

export const TRAVEL_SHORTCUTS: readonly ShortcutGroup[] = [
  { title: "Time travel", shortcuts: BOUND.map(({ shown, does }) => ({ keys: shown, does })) },
];

const TYPING = "input:not([type=range]), textarea, select, [contenteditable], dialog[open], [role=menu], [popover]";

export function useTravelKeys(travel: Travel): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      const bound = BOUND.find(({ key }) => key === event.key);
      if (!bound) return;
      event.preventDefault();
      bound.act(travel);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [travel]);
}
