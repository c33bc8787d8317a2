// Open or closed, for a button with a popover: a press on the button closes an open one before the click comes, and that click must
// not open it again.
import { useRef, useState } from "react";

export function useOpen() {
  const [open, setOpen] = useState(false);
  const pressedOpen = useRef(false);
  const button = {
    "aria-expanded": open,
    onPointerDown: () => void (pressedOpen.current = open),
    onClick: () => {
      setOpen(!pressedOpen.current);
      pressedOpen.current = false;
    },
  };
  return { open, setOpen, button };
}
