// What the tests of this part share: a gateway that answers as told, and remembers what it was asked.
import { vi } from "vitest";
import type { PendingApproval } from "../api/types";
import { type Conversation, EMPTY } from "../model/conversation";
import type { MessageEntry } from "../model/entry";

export interface Asked {
  method: string;
  path: string;
  body: unknown;
  key: string | undefined;
}

type Reply = { status?: number; body?: unknown } | "unreachable";

export function gateway(reply: (asked: Asked) => Reply = () => ({})): Asked[] {
  const all: Asked[] = [];
  const answer = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = (init.headers ?? {}) as Record<string, string>;
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const asked = { method: init.method ?? "GET", path, body, key: headers["idempotency-key"] };
    all.push(asked);
    const said = reply(asked);
    if (said === "unreachable") throw new TypeError("fetch failed");
    return new Response(JSON.stringify(said.body ?? {}), { status: said.status ?? 200 });
  };
  vi.stubGlobal("fetch", vi.fn(answer));
  return all;
}

export const conversation = (more: Partial<Conversation> = {}): Conversation => ({ ...EMPTY, lifecycle: "idle", ...more });

export function message(id: string, text: string): MessageEntry {
  const input = [{ type: "text" as const, text }];
  return { kind: "message", key: `message:${id}`, seq: 1, at: "2026-01-01T00:00:00.000Z", messageId: id, input, state: "queued", attempt: 0 };
}

export const holding = (...messages: MessageEntry[]): Partial<Conversation> => ({
  entries: new Map(messages.map((entry) => [entry.key, entry])),
  order: messages.map((entry) => entry.key),
});

export const approval = (kind: PendingApproval["kind"], request: unknown, id = "a1"): PendingApproval =>
  ({ approval_id: id, session_id: "s", kind, request, at: "2026-01-01T00:00:00.000Z", turn_id: null }) as PendingApproval;
