// What a file change would change. Codex asks without saying it: it stands in the item of the same id, a little earlier in the
// session's events. Where nobody gives it to us it is looked up there.
import { useEffect, useState } from "react";
import { ask } from "../../api/client";
import type { Event, PendingApproval, SessionSummary } from "../../api/types";
import { fieldsOf, textOf } from "../../lib/fields";
import { type Change, changesOf } from "../../diff/parse";

export type Found = readonly Change[] | "looking" | "none";

export function useChanges(approval: PendingApproval, given: readonly Change[] | undefined): Found {
  const [found, setFound] = useState<Found>("looking");
  const request = fieldsOf(approval.request);
  const own = changesOf(request);
  const itemId = textOf(request["itemId"]);
  const wanted = approval.kind === "file_change" && given === undefined && own.length === 0 && itemId !== undefined;
  useEffect(() => {
    if (!wanted) return undefined;
    const stop = new AbortController();
    lookBack(approval.session_id, itemId, stop.signal).then(
      (changes) => setFound(changes ?? "none"),
      () => (stop.signal.aborted ? undefined : setFound("none")),
    );
    return () => stop.abort();
  }, [wanted, approval.session_id, itemId]);
  if (given) return given;
  if (own.length > 0) return own;
  return wanted ? found : "none";
}

const PAGE = 1_000;
const PAGES = 5;

async function lookBack(session: string, itemId: string, signal: AbortSignal): Promise<Change[] | undefined> {
  const at = `/v1/sessions/${encodeURIComponent(session)}`;
  let end = (await ask<SessionSummary>("GET", at, { signal })).last_seq;
  for (let page = 0; page < PAGES && end > 0; page += 1) {
    const after = Math.max(0, end - PAGE);
    const { events } = await ask<{ events: Event[] }>("GET", `${at}/events?after=${after}`, { signal });
    const changes = inItems(events, itemId);
    if (changes) return changes;
    end = after;
  }
  return undefined;
}

export function inItems(events: readonly Event[], itemId: string): Change[] | undefined {
  for (const event of events.toReversed()) {
    if (event.item_id !== itemId || (event.type !== "item.started" && event.type !== "item.completed")) continue;
    const changes = changesOf(fieldsOf(event.data.item));
    if (changes.length > 0) return changes;
  }
  return undefined;
}
