// Where the keyboard goes when a card is done with: on to the next that waits, else back to where one writes.

const CARD = "[data-waiting-card]";

export const firstCard = (): HTMLElement | null => document.querySelector<HTMLElement>(CARD);

export const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(CARD)];

/** The card is about to leave the page. */
export function handOn(card: HTMLElement): void {
  const all = cards();
  const next = all[all.indexOf(card) + 1] ?? all.find((other) => other !== card);
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
