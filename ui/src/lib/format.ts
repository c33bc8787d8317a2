// Numbers and times as people read them.

const UNITS: [limit: number, divisor: number, unit: string][] = [
  [60, 1, "s"],
  [3_600, 60, "m"],
  [86_400, 3_600, "h"],
  [Number.POSITIVE_INFINITY, 86_400, "d"],
];

/** How long ago: `now`, `5m`, `3h`, `12d`. */
export function ago(at: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  if (seconds < 10) return "now";
  const [, divisor, unit] = UNITS.find(([limit]) => seconds < limit) ?? [0, 86_400, "d"];
  return `${Math.floor(seconds / divisor)}${unit}`;
}

/** A length of time: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A count of tokens: `940`, `12.4k`, `1.2M`. */
export function count(number: number): string {
  if (number < 1_000) return String(number);
  if (number < 1_000_000) return `${trim(number / 1_000)}k`;
  return `${trim(number / 1_000_000)}M`;
}

const trim = (number: number): string => (number < 100 ? number.toFixed(1).replace(/\.0$/, "") : String(Math.round(number)));

/** Dollars, as exactly as it matters. */
export const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;

/** The last part of a path: what people call a project. */
export const lastPart = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? path;

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What the gateway says begins small and has no end; on the page it stands alone. */
export const sentence = (words: string): string => `${capital(words)}${/[.!?]$/.test(words) ? "" : "."}`;
