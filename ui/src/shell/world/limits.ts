// Codex's rate limits, in its own words, as what a person wants to know: how much is used, of what, and until when.

export interface Limit {
  label: string;
  percent: number;
  /** In milliseconds since 1970. */
  resetsAt: number | undefined;
}

interface Window {
  usedPercent?: number;
  windowDurationMins?: number | null;
  /** In seconds since 1970. */
  resetsAt?: number | null;
}

export function limitsOf(rateLimits: unknown): Limit[] {
  if (typeof rateLimits !== "object" || rateLimits === null) return [];
  const { primary, secondary } = rateLimits as { primary?: Window | null; secondary?: Window | null };
  return [primary, secondary].flatMap((window) =>
    typeof window?.usedPercent === "number"
      ? [{ label: span(window.windowDurationMins), percent: window.usedPercent, resetsAt: window.resetsAt ? window.resetsAt * 1_000 : undefined }]
      : [],
  );
}

function span(minutes: number | null | undefined): string {
  if (!minutes) return "Limit";
  if (minutes % 10_080 === 0) return minutes === 10_080 ? "Week" : `${minutes / 10_080} weeks`;
  if (minutes % 1_440 === 0) return minutes === 1_440 ? "Day" : `${minutes / 1_440} days`;
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

/** When it begins anew, as exactly as it matters: `14:05` today, `Tue` within a week, else the date. */
export function resetWords(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return date.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" });
  if (at - now < 6 * 86_400_000) return date.toLocaleDateString(undefined, { weekday: "short" });
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short" });
}
