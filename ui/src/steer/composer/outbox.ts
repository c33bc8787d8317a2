// The person's own messages between "send" and the moment the journal has them. Each has a key: however often it is sent it is the
// same message, so that it cannot be said twice. How they are sent stands in `deliver.ts`.
import { newKey } from "../../api/client";
import type { BusyPolicy } from "../../api/types";
import { Cell } from "../../model/store";
import type { Draft } from "./drafts";
import { forThisTab, keep, keptKeys, recall } from "./kept";

export interface Outgoing {
  key: string;
  draft: Draft;
  policy: BusyPolicy | undefined;
  /** `waiting`: the gateway is away; `editing`: it and what comes after it stays until somebody has changed it. */
  state: "sending" | "waiting" | "editing" | "accepted" | "refused";
  messageId?: string;
  error?: { code: string; text: string; hint: string | undefined };
}

const boxes = new Map<string, Cell<readonly Outgoing[]>>();
const PREFIX = "outbox.";
const boxKey = (session: string): string => `${PREFIX}${session}`;

export function outboxOf(session: string): Cell<readonly Outgoing[]> {
  const known = boxes.get(session);
  if (known) return known;
  const made = new Cell<readonly Outgoing[]>((recall<Outgoing[]>(forThisTab, boxKey(session)) ?? []).map(afterReload));
  boxes.set(session, made);
  made.subscribe(() => store(session, made.get()));
  return made;
}

/** The sessions for which something may be on its way, those of before a reload too. */
export const sessionsWithMail = (): Set<string> =>
  new Set([...boxes.keys(), ...keptKeys(forThisTab, PREFIX).map((key) => key.slice(PREFIX.length))]);

function store(session: string, box: readonly Outgoing[]): void {
  if (keep(forThisTab, boxKey(session), box.length > 0 ? box : undefined)) return;
  // Too much for the tab: the words at least.
  keep(forThisTab, boxKey(session), box.map((it) => ({ ...it, draft: { ...it.draft, pictures: [] } })));
}

/** What was on its way when the page was closed may have arrived; with its key it is sent again without harm. */
const afterReload = (it: Outgoing): Outgoing => (isOnItsWay(it) ? { ...it, state: "waiting" } : it);

export const isOnItsWay = ({ state }: Outgoing): boolean => state === "sending" || state === "waiting" || state === "editing";

export function put(session: string, draft: Draft, policy: BusyPolicy | undefined): void {
  outboxOf(session).update((box) => [...box, { key: newKey(), draft, policy, state: "sending" }]);
}

export function change(session: string, key: string, how: (outgoing: Outgoing) => Outgoing): void {
  outboxOf(session).update((box) => box.map((it) => (it.key === key ? how(it) : it)));
}

export const forget = (session: string, key: string): void =>
  outboxOf(session).update((box) => (box.some((it) => it.key === key) ? box.filter((it) => it.key !== key) : box));

/** Those that the conversation has by now are shown there. */
export function settle(session: string, arrived: (messageId: string) => boolean): void {
  outboxOf(session).update((box) => {
    const rest = box.filter((it) => it.messageId === undefined || !arrived(it.messageId));
    return rest.length === box.length ? box : rest;
  });
}
