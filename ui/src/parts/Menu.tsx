import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
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

/** A button with a menu: the browser's popover, so it lies above everything and closes on Escape or a click elsewhere. */
export function Menu({ label, icon, items, className }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>();
  const open = place !== undefined;

  const show = () => {
    const anchor = button.current?.getBoundingClientRect();
    if (!anchor || !menu.current) return;
    if (open) return menu.current.hidePopover();
    menu.current.showPopover();
    setPlace(beside(anchor, menu.current.getBoundingClientRect()));
    menu.current.querySelector<HTMLElement>("[role=menuitem]:not(:disabled)")?.focus();
  };
  const choose = (item: MenuItem) => {
    menu.current?.hidePopover();
    button.current?.focus();
    item.act();
  };
  return (
    <>
      <IconButton ref={button} label={label} className={className} aria-haspopup="menu" aria-expanded={open} onClick={show}>
        {icon}
      </IconButton>
      <div
        ref={menu}
        id={id}
        role="menu"
        aria-label={label}
        popover="auto"
        className={styles.menu}
        style={place}
        onToggle={(event) => event.newState === "closed" && setPlace(undefined)}
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
            onClick={() => choose(item)}
          >
            {item.icon}
            {item.label}
          </button>
        ))}
      </div>
    </>
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
