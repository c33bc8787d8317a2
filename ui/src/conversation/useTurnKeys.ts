// From turn to turn by keyboard, and to the ends of the conversation: single keys, and only where nobody types.
import { type RefObject, useEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "./rows";

/** Where letters are letters, and where End is the end of something smaller. */
const ELSEWHERE = "input, textarea, select, [contenteditable], dialog[open], [role=menu], pre, [data-waiting-card]";
/** So far below the top a row is still the one that is read. */
const MARGIN = 40;
/** A row that was far away is drawn within so many frames. */
const FRAMES = 12;

interface Ways {
  list: RefObject<VirtualizerHandle | null>;
  scroller: RefObject<HTMLElement | null>;
  /** Goes to a row, and stops following. */
  show(index: number): void;
  toEnd(): void;
}

export function useTurnKeys(rows: readonly Row[], ways: Ways): void {
  const latest = useRef({ rows, ways });
  latest.current = { rows, ways };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return;
      if (move(event.key, latest.current.rows, latest.current.ways)) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** Whether the key was one of ours. */
function move(key: string, rows: readonly Row[], ways: Ways): boolean {
  if (key === "End") ways.toEnd();
  else if (key === "Home") ways.show(0);
  else if (key === "j" || key === "k") toTurn(rows, turnBeside(rows, here(rows, ways), key === "j" ? 1 : -1), ways);
  else return false;
  return true;
}

function toTurn(rows: readonly Row[], index: number | undefined, ways: Ways): void {
  const key = index === undefined ? undefined : rows[index]?.key;
  if (index === undefined || key === undefined) return ways.toEnd();
  ways.show(index);
  focus(ways.scroller, key, FRAMES);
}

/** The message before or after a row; a turn begins with one. */
export function turnBeside(rows: readonly Row[], here: number, by: 1 | -1): number | undefined {
  for (let at = here + by; at >= 0 && at < rows.length; at += by) {
    if (rows[at]?.entry?.kind === "message") return at;
  }
  return by === 1 ? undefined : 0;
}

/** The row that has the keyboard, else the one at the top of what is seen. */
function here(rows: readonly Row[], { list, scroller }: Ways): number {
  const focused = document.activeElement?.closest<HTMLElement>("[data-row]");
  const at = focused && scroller.current?.contains(focused) ? rows.findIndex(({ key }) => key === focused.dataset["row"]) : -1;
  return at >= 0 ? at : (list.current?.findItemIndex(list.current.scrollOffset + MARGIN) ?? 0);
}

function focus(scroller: RefObject<HTMLElement | null>, key: string, frames: number): void {
  const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  if (row) row.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focus(scroller, key, frames - 1));
}
