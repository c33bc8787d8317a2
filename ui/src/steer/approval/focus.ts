// Where the keyboard goes when a card is done with: on to the next that waits, else back to where one writes.

const CARD = "[data-waiting-card]";

export const firstCard = (): HTMLElement | null => document.querySelector<HTMLElement>(CARD);

export const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(CARD)];

let left: { approval: string; next: HTMLElement | undefined } | undefined;

/** A card leaves the page with the keyboard in it: because it was answered, or only scrolled away. */
export function leaves(card: HTMLElement, approval: string): void {
  if (!card.contains(document.activeElement)) return;
  const all = cards();
  left = { approval, next: all[all.indexOf(card) + 1] ?? all.find((other) => other !== card) };
}

/** It was answered: the keyboard goes on. */
export function handOn(approval: string): void {
  if (left?.approval !== approval) return;
  const { next } = left;
  left = undefined;
  requestAnimationFrame(() => {
    const onward = next?.isConnected ? next : document.querySelector<HTMLElement>("[data-composer], [data-inbox-title]");
    onward?.focus();
  });
}

/** Letters belong to whoever types them. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "radio" && target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
