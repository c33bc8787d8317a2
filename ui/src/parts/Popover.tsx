import { type KeyboardEventHandler, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { beside, type Place } from "./place";
import styles from "./Popover.module.css";

interface Props {
  label: string;
  role: "menu" | "dialog";
  /** Beside what it stands. */
  anchor: RefObject<HTMLElement | null>;
  /** What has the focus first, as a selector. */
  first: string;
  onClose(): void;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
  children: ReactNode;
}

/** The browser's popover: it lies above everything, closes on Escape or a click elsewhere, and gives the focus back. */
export function Popover({ label, role, anchor, first, onClose, onKeyDown, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>();
  useLayoutEffect(() => {
    const [button, popover] = [anchor.current, element.current];
    if (!button || !popover) return;
    popover.showPopover();
    setPlace(beside(button.getBoundingClientRect(), popover.getBoundingClientRect()));
    popover.querySelector<HTMLElement>(first)?.focus();
  }, [anchor, first]);
  return (
    <div
      ref={element}
      role={role}
      aria-label={label}
      popover="auto"
      className={styles.popover}
      style={place}
      onToggle={(event) => event.target === event.currentTarget && event.newState === "closed" && onClose()}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}
