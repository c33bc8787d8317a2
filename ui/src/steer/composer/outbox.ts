// The person's own messages between "send" and the moment the journal has them. One that failed stays, with its key: sent again
// it is the same message, so that it cannot be said twice.
import { Refused, Unreachable, newKey } from "../../api/client";
import type { BusyPolicy, MessagePart, SendMessage } from "../../api/types";
import { sendMessage } from "../../model/actions";
import { Cell } from "../../model/store";
import type { Draft } from "./drafts";
import { forThisTab, keep, recall } from "./kept";

export interface Outgoing {
  key: string;
  draft: Draft;
  policy: BusyPolicy | undefined;
  state: "sending" | "accepted" | "failed";
  messageId?: string;
  error?: { text: string; hint: string | undefined };
}

const boxes = new Map<string, Cell<readonly Outgoing[]>>();
const boxKey = (session: string): string => `outbox.${session}`;

export function outboxOf(session: string): Cell<readonly Outgoing[]> {
  const known = boxes.get(session);
  if (known) return known;
  const made = new Cell<readonly Outgoing[]>((recall<Outgoing[]>(forThisTab, boxKey(session)) ?? []).map(afterReload));
  boxes.set(session, made);
  made.subscribe(() => store(session, made.get()));
  return made;
}

function store(session: string, box: readonly Outgoing[]): void {
  if (keep(forThisTab, boxKey(session), box.length > 0 ? box : undefined)) return;
  // Too much for the tab: the words at least.
  keep(forThisTab, boxKey(session), box.map((it) => ({ ...it, draft: { ...it.draft, pictures: [] } })));
}

/** What was on its way when the page was closed may have arrived; with its key it can be sent again without harm. */
function afterReload(it: Outgoing): Outgoing {
  if (it.state !== "sending") return it;
  return { ...it, state: "failed", error: { text: "The page was closed before the answer came.", hint: undefined } };
}

export function send(session: string, draft: Draft, policy: BusyPolicy | undefined): Promise<void> {
  const outgoing: Outgoing = { key: newKey(), draft, policy, state: "sending" };
  outboxOf(session).update((box) => [...box, outgoing]);
  return attempt(session, outgoing);
}

export function sendAgain(session: string, outgoing: Outgoing): Promise<void> {
  change(session, outgoing.key, ({ error: _, ...it }) => ({ ...it, state: "sending" }));
  return attempt(session, outgoing);
}

async function attempt(session: string, { key, draft, policy }: Outgoing): Promise<void> {
  try {
    const receipt = await sendMessage(session, messageOf(draft, policy), key);
    change(session, key, (it) => ({ ...it, state: "accepted", messageId: receipt.message_id }));
  } catch (error) {
    const known = error instanceof Refused || error instanceof Unreachable;
    const why = { text: known ? error.message : "it could not be sent", hint: known ? error.hint : undefined };
    change(session, key, (it) => ({ ...it, state: "failed", error: why }));
  }
}

export function messageOf(draft: Draft, policy: BusyPolicy | undefined): SendMessage {
  const pictures: MessagePart[] = draft.pictures.map(({ url }) => ({ type: "image", url }));
  const words: MessagePart[] = draft.text.trim() === "" ? [] : [{ type: "text", text: draft.text }];
  const said: SendMessage = pictures.length === 0 ? { text: draft.text } : { input: [...pictures, ...words] };
  return policy ? { ...said, busy_policy: policy } : said;
}

function change(session: string, key: string, how: (outgoing: Outgoing) => Outgoing): void {
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
