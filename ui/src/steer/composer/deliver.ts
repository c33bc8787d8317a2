// Messages go to the gateway one after the other, in their order. While it is away they wait, and go when it is back: with the same
// key, so each is said once.
import { Refused, Unreachable, newKey } from "../../api/client";
import type { BusyPolicy, MessagePart, SendMessage } from "../../api/types";
import { sendMessage } from "../../model/actions";
import { fleet } from "../../model/fleet";
import type { Draft } from "./drafts";
import { type Outgoing, change, isOnItsWay, outboxOf, put, sessionsWithMail } from "./outbox";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** The last round of each session: another one begins after it. */
const rounds = new Map<string, Promise<void>>();
const waits = new Map<string, number>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function send(session: string, draft: Draft, policy: BusyPolicy | undefined): Promise<void> {
  put(session, draft, policy);
  return deliver(session);
}

/** One that was refused goes again. One that had arrived before its words were changed is a new message by now. */
export function sendAgain(session: string, { key, error }: Outgoing): Promise<void> {
  const renewed = error?.code === "key_reused" ? { key: newKey() } : {};
  change(session, key, ({ error: _, ...it }) => ({ ...it, ...renewed, state: "sending" }));
  return deliver(session);
}

/** Everything that is on its way, oldest first. */
export function deliver(session: string): Promise<void> {
  clearTimeout(timers.get(session));
  const round = (rounds.get(session) ?? Promise.resolve()).then(() => deliverInOrder(session));
  rounds.set(session, round);
  return round;
}

async function deliverInOrder(session: string): Promise<void> {
  for (;;) {
    const next = outboxOf(session).get().find(isOnItsWay);
    if (!next || next.state === "editing") return;
    change(session, next.key, (it) => ({ ...it, state: "sending" }));
    try {
      const { message_id: messageId } = await sendMessage(session, messageOf(next.draft, next.policy), next.key);
      waits.delete(session);
      change(session, next.key, (it) => ({ ...it, state: "accepted", messageId }));
    } catch (error) {
      if (isAway(error)) return comeBack(session);
      change(session, next.key, (it) => ({ ...it, state: "refused", error: explained(error) }));
    }
  }
}

/** It was not the message that was refused: nobody was there to take it. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Refused)) return error instanceof Unreachable;
  return error.code === "draining" || (error.code === "internal" && [502, 503, 504].includes(error.status));
}

function explained(error: unknown): NonNullable<Outgoing["error"]> {
  if (!(error instanceof Refused)) return { code: "internal", text: "it could not be sent", hint: undefined };
  if (error.code === "key_reused") {
    return { code: error.code, text: "it had arrived before you changed it", hint: "send the new words as another message, or take them back" };
  }
  return { code: error.code, text: error.message, hint: error.hint };
}

/** The feed says when the gateway is back. Where it never noticed that it was away, it is tried again after a while. */
function comeBack(session: string): void {
  for (const it of outboxOf(session).get()) {
    if (it.state === "sending") change(session, it.key, (one) => ({ ...one, state: "waiting" }));
  }
  const wait = waits.get(session) ?? FIRST_WAIT;
  waits.set(session, Math.min(wait * 2, LONGEST_WAIT));
  clearTimeout(timers.get(session));
  if (fleet.get().connection === "live") timers.set(session, setTimeout(() => void deliver(session), wait));
}

/** Sends what waits, in all sessions, whenever the gateway is there again. */
export function watchOutboxes(): () => void {
  let before = fleet.get().connection;
  return fleet.subscribe(() => {
    const { connection } = fleet.get();
    const isBack = connection === "live" && before !== "live";
    before = connection;
    if (isBack) for (const session of sessionsWithMail()) void deliver(session);
  });
}

export function messageOf(draft: Draft, policy: BusyPolicy | undefined): SendMessage {
  const pictures: MessagePart[] = draft.pictures.map(({ url }) => ({ type: "image", url }));
  const words: MessagePart[] = draft.text.trim() === "" ? [] : [{ type: "text", text: draft.text }];
  const said: SendMessage = pictures.length === 0 ? { text: draft.text } : { input: [...pictures, ...words] };
  return policy ? { ...said, busy_policy: policy } : said;
}
