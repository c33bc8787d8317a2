// What waits for a person is said in the title, to screen readers, and in a notification while the page is hidden. Alt+W goes there.
import { useEffect, useRef } from "react";
import { go } from "../lib/route";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { firstCard } from "./approval/focus";
import { announce } from "./inbox/announce";
import { newcomers } from "./inbox/newcomers";
import { notify, withdraw } from "./inbox/notification";

export function useAttention(): void {
  const approvals = useStore(fleet, (state) => state.approvals);
  const listed = useStore(fleet, (state) => state.listed);
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    document.title = titled(document.title, approvals.length);
    if (!listed) return;
    const { fresh, gone, ids } = newcomers(known.current, approvals);
    known.current = ids;
    for (const id of gone) withdraw(id);
    for (const approval of fresh) notify(approval, fleet.get().sessions.get(approval.session_id));
    if (fresh.length > 0) announce(approvals.length === 1 ? "Something waits for you." : `${approvals.length} things wait for you.`);
  }, [approvals, listed]);
  useEffect(() => {
    addEventListener("keydown", goToWaiting);
    return () => removeEventListener("keydown", goToWaiting);
  }, []);
}

/** The count before whatever the title is. */
export const titled = (title: string, waiting: number): string => {
  const bare = title.replace(/^\(\d+\) /, "") || "Selvedge";
  return waiting > 0 ? `(${waiting}) ${bare}` : bare;
};

function goToWaiting(event: KeyboardEvent): void {
  // By its place on the keyboard: with Alt some systems make another letter of it.
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyW") return;
  event.preventDefault();
  const card = firstCard();
  if (!card) return go({ page: "inbox" });
  card.focus();
  card.scrollIntoView({ block: "nearest" });
}
