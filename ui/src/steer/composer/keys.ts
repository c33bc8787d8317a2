// Which key sends.

/** On a phone the keyboard's Enter makes a line: there is no Shift at hand, and a button sends. */
export const isPhone = (): boolean => matchMedia("(pointer: coarse)").matches;

interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** An input method is still putting letters together. */
  composing: boolean;
}

export function sends({ key, shiftKey, ctrlKey, metaKey, altKey, composing }: Pressed, phone: boolean): boolean {
  if (key !== "Enter" || composing || altKey) return false;
  if (ctrlKey || metaKey) return true;
  return !shiftKey && !phone;
}
