// The shell's own keys: one table, for the handler and for the sheet that shows them.
import { go } from "../lib/route";
import { Cell } from "../model/store";
import type { ShortcutGroup } from "../steer/shortcuts";
import { FILTER_ID } from "./filter/FilterButton";
import { toggleTravel } from "../travel/entry";
import { sheet, toggleSidebar } from "./layout";
import { SEARCH_ID } from "./sidebar/SearchBox";

interface Bound {
  key: string;
  does: string;
  act(): void;
}

export const sheetShown = new Cell(false);
export const showSheet = (shown: boolean): void => sheetShown.set(shown);

/** Something of the sidebar, which is shown for it. */
function inSidebar(id: string, act: (element: HTMLElement) => void): void {
  const there = document.getElementById(id);
  if (there) return act(there);
  toggleSidebar();
  // The sidebar is drawn first.
  requestAnimationFrame(() => {
    const drawn = document.getElementById(id);
    if (drawn) act(drawn);
  });
}

const search = (): void => inSidebar(SEARCH_ID, (box) => box.focus());
const filterSessions = (): void => inSidebar(FILTER_ID, (button) => button.click());

const BOUND: readonly Bound[] = [
  { key: "n", does: "New session", act: () => go({ page: "new" }) },
  { key: "/", does: "Search sessions", act: search },
  { key: "f", does: "Filter sessions", act: filterSessions },
  { key: "g", does: "Overview of all sessions", act: () => go({ page: "home" }) },
  { key: "i", does: "Inbox: what waits for you", act: () => go({ page: "inbox" }) },
  { key: "u", does: "Usage of all sessions", act: () => go({ page: "usage" }) },
  { key: "t", does: "Time travel in a session, and back", act: toggleTravel },
  { key: "[", does: "Show or hide the sidebar", act: toggleSidebar },
  { key: "?", does: "This sheet", act: () => showSheet(true) },
];

export const SHELL_SHORTCUTS: readonly ShortcutGroup[] = [
  { title: "Everywhere", shortcuts: BOUND.map(({ key, does }) => ({ keys: [key.toUpperCase()], does })) },
  {
    title: "List of sessions",
    shortcuts: [
      { keys: ["↑"], does: "Session before" },
      { keys: ["↓"], does: "Session after" },
      { keys: ["Enter"], does: "Open it" },
      { keys: ["F2"], does: "Rename it" },
      { keys: ["Esc"], does: "Empty the search" },
    ],
  },
];

const TYPING = "input, textarea, select, [contenteditable], dialog[open], [role=menu]";

/** Single keys count only where nobody types. */
export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest(TYPING)) return;
  const bound = BOUND.find(({ key }) => key === event.key);
  if (!bound) return;
  event.preventDefault();
  sheet.set(false);
  bound.act();
}
