// A notification for each thing that waits, gone again once it is answered. Several tabs show one: they share its tag.
import type { PendingApproval, SessionSummary } from "../../api/types";
import { lastPart } from "../../lib/format";
import { go } from "../../lib/route";
import { fieldsOf } from "../../lib/fields";
import { gist, titleOf } from "../approval/words";
import { telling } from "./notify";

const shown = new Map<string, Notification>();

export function notify(approval: PendingApproval, session: SessionSummary | undefined): void {
  if (telling.get() !== "on" || !document.hidden) return;
  const request = fieldsOf(approval.request);
  const name = session?.name ?? (session ? lastPart(session.cwd) : "Selvedge");
  try {
    const body = `${titleOf(approval.kind, request)}\n${gist(approval.kind, request)}`;
    const notification = new Notification(`${name} waits for you`, { body, tag: approval.approval_id });
    notification.onclick = () => {
      window.focus();
      go({ page: "session", id: approval.session_id, view: "talk" });
      notification.close();
    };
    shown.set(approval.approval_id, notification);
  } catch {
    // Some phones have notifications only for installed pages: the title still says it.
  }
}

export function withdraw(id: string): void {
  shown.get(id)?.close();
  shown.delete(id);
}
