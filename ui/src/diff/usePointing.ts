// Which lines a reader points at: with the arrow keys or in the gutter, Shift or a drag for more than one.
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import type { DiffLine } from "./line";
import type { Range } from "./notes";
import { beside, neighbour, type Row } from "./rows";

interface Pointed {
  /** Where it began, and where it is now. */
  anchor: number;
  at: number;
  /** It moves with the arrow keys, and the page with it. */
  byKey: boolean;
}

export function usePointing(rows: readonly Row[], lines: readonly DiffLine[], onPoint: ((range: Range) => void) | undefined) {
  const [pointed, point] = useState<Pointed>();
  const dragged = useRef<Pointed | undefined>(undefined);
  // A diff that became shorter has no such line any more.
  const valid = pointed && lines[pointed.at] && lines[pointed.anchor] ? pointed : undefined;
  // One line alone is where the reader is, and nothing that was picked.
  const range = valid && valid.anchor !== valid.at ? { from: Math.min(valid.anchor, valid.at), to: Math.max(valid.anchor, valid.at) } : undefined;

  /** A range stays in its hunk: what lies between two hunks is not seen. */
  const to = (at: number | undefined, more: boolean, byKey: boolean): Pointed | undefined => {
    if (at === undefined) return undefined;
    const anchor = more && valid ? valid.anchor : at;
    if (lines[anchor]?.hunk !== lines[at]?.hunk) return undefined;
    const next = { anchor, at, byKey };
    point(next);
    return next;
  };

  /** What was picked is handed on; the reader stays where they are. */
  const hand = ({ anchor, at, byKey }: Pointed) => {
    point({ anchor: at, at, byKey });
    onPoint?.({ from: Math.min(anchor, at), to: Math.max(anchor, at) });
  };

  const pressed = (event: KeyboardEvent) => {
    // What stands under the lines has keys of its own.
    if (event.target !== event.currentTarget || !onPoint || event.ctrlKey || event.metaKey || event.altKey) return;
    const first = rows.find(({ cells }) => cells.length > 0)?.cells.find((cell) => cell !== undefined);
    const move = (by: 1 | -1) => to(valid ? neighbour(rows, valid.at, by) : first, event.shiftKey, true);
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const other = valid && beside(rows, valid.at);
      if (other === undefined) return;
      to(other, event.shiftKey, true);
    } else if (event.key === "Enter" || event.key === "c") {
      if (valid) hand(valid);
      else to(first, false, true);
    } else if (event.key === "Escape" && valid) point(undefined);
    else return;
    event.preventDefault();
    // A card around it has other meanings for some of these keys.
    event.stopPropagation();
  };

  const mouseDown = (event: MouseEvent<HTMLElement>) => {
    const { place, inGutter } = under(event.target);
    if (place === undefined || !onPoint || event.button !== 0) return;
    if (!inGutter) return void (getSelection()?.isCollapsed !== false && to(place, false, false));
    // No text is to be selected by a drag over numbers; the keyboard comes here all the same.
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    dragged.current = to(place, event.shiftKey, false);
  };
  const mouseOver = (event: MouseEvent) => {
    const begun = dragged.current;
    const { place } = under(event.target);
    if (!begun || place === undefined || lines[place]?.hunk !== lines[begun.anchor]?.hunk) return;
    dragged.current = { ...begun, at: place };
    point(dragged.current);
  };
  useEffect(() => {
    const released = () => {
      const done = dragged.current;
      dragged.current = undefined;
      if (done) hand(done);
    };
    addEventListener("mouseup", released);
    return () => removeEventListener("mouseup", released);
  });

  return { at: valid?.at, byKey: valid?.byKey ?? false, range, handlers: { onKeyDown: pressed, onMouseDown: mouseDown, onMouseOver: mouseOver } };
}

function under(target: EventTarget): { place: number | undefined; inGutter: boolean } {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-line]") : null;
  const place = cell?.dataset["line"];
  return { place: place === undefined ? undefined : Number(place), inGutter: target instanceof Element && target.matches("[data-gutter]") };
}
