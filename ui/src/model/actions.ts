// What a person can do: each is one request.
import { ask, newKey } from "../api/client";
import type {
  AnswerApproval,
  CreateSession,
  PatchSession,
  Receipt,
  SendMessage,
  SessionDetail,
  SessionSummary,
} from "../api/types";
import { refresh } from "./fleet";

const at = (id: string, rest = ""): string => `/v1/sessions/${encodeURIComponent(id)}${rest}`;

export async function createSession(wanted: CreateSession): Promise<SessionDetail> {
  const session = await ask<SessionDetail>("POST", "/v1/sessions", { body: wanted, key: newKey() });
  await refresh(session.id);
  return session;
}

export const patchSession = (id: string, change: PatchSession): Promise<SessionDetail> =>
  ask("PATCH", at(id), { body: change });

export const sendMessage = (id: string, message: SendMessage, key = newKey()): Promise<Receipt> =>
  ask("POST", at(id, "/messages"), { body: message, key });

export const changeMessage = (id: string, message: string, change: { text?: string; position?: number }): Promise<void> =>
  ask("PATCH", at(id, `/messages/${message}`), { body: change });

export const takeBack = (id: string, message: string): Promise<void> => ask("DELETE", at(id, `/messages/${message}`));

export const interrupt = (id: string, force = false): Promise<void> =>
  ask("POST", at(id, "/interrupt"), { body: { force }, key: newKey() });

export const control = (id: string, what: "start" | "stop" | "compact" | "review"): Promise<void> =>
  ask("POST", at(id, `/${what}`), { body: {}, key: newKey() });

export async function fork(id: string, afterMessageId?: string): Promise<SessionDetail> {
  const body = afterMessageId ? { after_message_id: afterMessageId } : {};
  const session = await ask<SessionDetail>("POST", at(id, "/fork"), { body, key: newKey() });
  await refresh(session.id);
  return session;
}

export async function archive(id: string, away: boolean): Promise<void> {
  await ask<SessionSummary>("POST", at(id, away ? "/archive" : "/unarchive"), { body: {}, key: newKey() });
  await refresh(id);
}

export const remove = (id: string): Promise<void> => ask("DELETE", at(id));

export const answerApproval = (id: string, answer: AnswerApproval): Promise<void> =>
  ask("POST", `/v1/approvals/${encodeURIComponent(id)}`, { body: answer, key: newKey() });
