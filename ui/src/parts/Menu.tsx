import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "./Button";
import styles from "./Menu.module.css";
import { beside, type Place } from "./place";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  act(): void;
}

interface Props {
  /** What the menu is about: the button's name. */
  label: string;
  icon: ReactNode;
  items: readonly MenuItem[];
  className?: string | undefined;
}

/** A button with a menu. The menu is made when it is wanted: a long list of rows has many of these buttons. */
export function Menu({ label, icon, items, className }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // A press on the button closes an open menu before the click comes: that click must not open it again.
  const pressedOpen = useRef(false);
  const choose = (item: MenuItem) => {
    setOpen(false);
    button.current?.focus();
    item.act();
  };
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerDown={() => (pressedOpen.current = open)}
        onClick={() => {
          setOpen(!pressedOpen.current);
          pressedOpen.current = false;
        }}
      >
        {icon}
      </IconButton>
      {open && <Popover label={label} anchor={button} items={items} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PopoverProps {
  label: string;
  anchor: RefObject<HTMLButtonElement | null>;
  items: readonly MenuItem[];
  onChoose(item: MenuItem): void;
  onClose(): void;
}

/** The browser's popover: it lies above everything, closes on Escape or a click elsewhere, and gives the focus back. */
function Popover({ label, anchor, items, onChoose, onClose }: PopoverProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>();
  useLayoutEffect(() => {
    const [button, element] = [anchor.current, menu.current];
    if (!button || !element) return;
    element.showPopover();
    setPlace(beside(button.getBoundingClientRect(), element.getBoundingClientRect()));
    element.querySelector<HTMLElement>("[role=menuitem]:not(:disabled)")?.focus();
  }, [anchor]);
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      popover="auto"
      className={styles.menu}
      style={place}
      onToggle={(event) => event.newState === "closed" && onClose()}
      onKeyDown={(event) => move(event, menu.current)}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={item.disabled}
          className={item.danger ? styles.danger : styles.item}
          onClick={() => onChoose(item)}
        >
          {item.icon}
          {item.label}
        </button>
      ))}
    </div>
  );
}

function move(event: KeyboardEvent, menu: HTMLElement | null): void {
  const items = [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items.at(next % items.length)?.focus();
}
