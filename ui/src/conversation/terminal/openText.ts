// A text in a window of its own: the browser shows megabytes of plain text with ease.

/** The window reads it from here; later nobody needs it. */
const KEPT = 60_000;

export function openText(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  window.open(address, "_blank");
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

/** How much it is: `640 KB`, `2.0 MB`. */
export const bytes = (letters: number): string =>
  letters < 1_000_000 ? `${Math.max(1, Math.round(letters / 1_000))} KB` : `${(letters / 1_000_000).toFixed(1)} MB`;
