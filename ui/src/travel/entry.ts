// Going into the past of a session, and back to now.
import { currentRoute, go } from "../lib/route";
import { watchedSession } from "../model/session";

/** The session as it stands now is the first moment of the journey. */
export function travelFromNow(id: string, view: "talk" | "changes" | "usage" = "talk"): void {
  const { seq } = watchedSession(id).state.get().conversation;
  if (seq > 0) go({ page: "session", id, view, at: seq });
}

export function backToNow(): void {
  const route = currentRoute();
  if (route.page !== "session") return;
  go({ page: "session", id: route.id, view: route.view });
  // What had the keyboard is gone.
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** One key for both ways. */
export function toggleTravel(): void {
  const route = currentRoute();
  if (route.page !== "session") return;
  if (route.at === undefined) travelFromNow(route.id, route.view);
  else backToNow();
}
