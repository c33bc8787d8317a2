import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { IconButton } from "./Button";
import styles from "./Menu.module.css";
import { Popover } from "./Popover";
import { useOpen } from "./useOpen";

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

const ITEMS = "[role=menuitem]:not(:disabled)";

/** A button with a menu. The menu is made when it is wanted: a long list of rows has many of these buttons. */
export function Menu({ label, icon, items, className }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const { open, setOpen, button } = useOpen();
  const choose = (item: MenuItem) => {
    setOpen(false);
    anchor.current?.focus();
    item.act();
  };
  return (
    <>
      <IconButton ref={anchor} label={label} className={className} aria-haspopup="menu" {...button}>
        {icon}
      </IconButton>
      {open && (
        <Popover label={label} role="menu" anchor={anchor} first={ITEMS} onClose={() => setOpen(false)} onKeyDown={move}>
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
        </Popover>
      )}
    </>
  );
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items.at(next % items.length)?.focus();
}
