// What each event does to a conversation. A match routes; each arm is a named function.
import type { Event } from "../api/types";
import { type CodexItem, type Mark, keyOfItem } from "./entry";
import { notHeld } from "./pieces";
import { type Draft, agentKey } from "./draft";

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

export function apply(draft: Draft, event: Event): void {
  if (event.thread_id !== undefined) begunBySubAgent(draft, event, event.thread_id);
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return settings(draft, event);
    case "session.state":
      return state(draft, event);
    case "session.warning":
      return mark(draft, event, warning(event));
    case "session.removed":
      return draft.set("removed", true);
    case "message.accepted":
      return accepted(draft, event);
    case "message.updated":
      return updated(draft, event);
    case "message.started":
      return started(draft, event);
    case "message.finished":
      return finished(draft, event);
    case "turn.started":
      return turnStarted(draft, event);
    case "turn.completed":
      return turnCompleted(draft, event);
    case "item.started":
    case "item.completed":
      return item(draft, event);
    case "item.delta":
      return delta(draft, event);
    case "approval.requested":
      return asked(draft, event);
    case "approval.resolved":
      return answered(draft, event);
    case "tool.requested":
      return called(draft, event);
    case "tool.resolved":
      return returned(draft, event);
    case "usage.updated":
      return usage(draft, event);
    case "plan.updated":
      return plan(draft, event);
    case "diff.updated":
      return draft.set("changed", event.data.files);
    case "codex.exited":
      return mark(draft, event, exited(draft, event));
    case "codex.restarted":
      return mark(draft, event, restarted(event));
    case "codex.unknown":
      return mark(draft, event, { what: "unknown", direction: event.data.direction, raw: event.data.raw });
    case "codex.notice":
      return;
  }
}

function begunBySubAgent(draft: Draft, event: Event, threadId: string): void {
  const key = agentKey(threadId);
  if (draft.entry(key)) return;
  draft.put({ kind: "agent", key, threadId, order: [], done: false, ...where(event) });
}

function where(event: Event): { seq: number; at: string; turnId?: string } {
  const { seq, at } = event.began ?? event;
  return { seq, at, ...(event.turn_id ? { turnId: event.turn_id } : {}) };
}

function mark(draft: Draft, event: Event, mark: Mark): void {
  draft.put({ kind: "mark", key: `mark:${event.seq}`, mark, ...where(event) }, event.thread_id);
}

function warning({ data }: Of<"session.warning">): Mark {
  return { what: "warning", code: data.code, message: data.message, ...(data.hint ? { hint: data.hint } : {}) };
}

function exited(draft: Draft, { data }: Of<"codex.exited">): Mark {
  return { what: "exited", reason: data.reason, stderr: data.stderr_tail, idle: draft.get("runningTurn") === undefined };
}

function restarted({ data }: Of<"codex.restarted">): Mark {
  return { what: "restarted", attempt: data.attempt, ...(data.version ? { version: data.version } : {}) };
}

function settings(draft: Draft, event: Of<"session.created" | "session.updated">): void {
  const before = draft.get("settings");
  draft.set("settings", before ? { ...before, ...event.data } : event.data);
}

function state(draft: Draft, event: Of<"session.state">): void {
  const { state, reason } = event.data;
  draft.set("lifecycle", state);
  draft.set("reason", reason ?? undefined);
  if (state === "failed") {
    mark(draft, event, { what: "state", state, ...(reason ? { reason } : {}) });
  }
}

const messageKey = (id: string): string => `message:${id}`;

function accepted(draft: Draft, event: Of<"message.accepted">): void {
  const { message_id: messageId, input, position, sender } = event.data;
  draft.put({
    kind: "message",
    key: messageKey(messageId),
    messageId,
    input,
    state: "queued",
    attempt: 0,
    ...(sender ? { sender } : {}),
    ...where(event),
  });
  enqueue(draft, messageId, position);
}

function updated(draft: Draft, event: Of<"message.updated">): void {
  const { message_id: id, input, position } = event.data;
  if (input) draft.change(messageKey(id), "message", () => ({ input }));
  if (position !== undefined && position !== null) enqueue(draft, id, position);
}

/** A position counts what is before it: the turn that runs, if one does, and the queue. */
function enqueue(draft: Draft, id: string, position: number): void {
  const lifecycle = draft.get("lifecycle");
  const runs = lifecycle === "running" || lifecycle === "waiting" || lifecycle === "recovering";
  const queue = draft.get("queue").filter((other) => other !== id);
  draft.set("queue", queue.toSpliced(Math.max(position - (runs ? 1 : 0), 0), 0, id));
}

function started(draft: Draft, event: Of<"message.started">): void {
  const { message_id: id, attempt, steered_into: steeredInto } = event.data;
  leaveQueue(draft, id);
  // It stands where the agent got it, which is after everything that was done while it waited.
  if (attempt <= 1) draft.toEnd(messageKey(id));
  draft.change(messageKey(id), "message", () => ({
    state: "running",
    attempt,
    ...(steeredInto ? { steeredInto } : {}),
  }));
}

function finished(draft: Draft, event: Of<"message.finished">): void {
  const { message_id: id, status, error } = event.data;
  leaveQueue(draft, id);
  draft.change(messageKey(id), "message", () => ({ state: status, ...(error ? { error } : {}) }));
}

function leaveQueue(draft: Draft, id: string): void {
  const queue = draft.get("queue");
  if (queue.includes(id)) draft.set("queue", queue.filter((other) => other !== id));
}

function turnStarted(draft: Draft, event: Of<"turn.started">): void {
  if (!event.turn_id) return;
  draft.putTurn({ id: event.turn_id, startedAt: event.at, messageIds: event.data.message_ids });
  if (event.thread_id === undefined) draft.set("runningTurn", event.turn_id);
}

function turnCompleted(draft: Draft, event: Of<"turn.completed">): void {
  const { status, error, duration_ms: durationMs, message_ids: messageIds } = event.data;
  const known = event.turn_id ? draft.turn(event.turn_id) : undefined;
  if (event.turn_id) {
    const turn = known ?? { id: event.turn_id, startedAt: event.at, messageIds };
    draft.putTurn({ ...turn, completedAt: event.at, status, durationMs });
  }
  if (event.thread_id !== undefined) {
    draft.change(agentKey(event.thread_id), "agent", () => ({ done: true }));
  } else if (draft.get("runningTurn") === event.turn_id) {
    draft.set("runningTurn", undefined);
  }
  // It began with messages and ends without: they go on in another turn.
  const again = status === "interrupted" && messageIds.length === 0 && (known?.messageIds.length ?? 0) > 0;
  if (again) mark(draft, event, { what: "again" });
  else if (status !== "completed") mark(draft, event, { what: "turn", status, ...(error ? { error } : {}) });
}

const itemKey = (event: Event): string => keyOfItem(event.turn_id, event.item_id ?? event.seq);

function item(draft: Draft, event: Of<"item.started" | "item.completed">): void {
  const raw = event.data.item as CodexItem;
  // What the user said is shown as the message that was accepted.
  if (raw.type === "userMessage") return;
  const key = itemKey(event);
  const before = draft.entry(key);
  const known = before?.kind === "item" ? before : undefined;
  const done = event.type === "item.completed";
  const closed = event.data.closed;
  draft.put(
    {
      kind: "item",
      key,
      itemId: event.item_id ?? raw.id ?? key,
      item: raw,
      itemSeq: event.seq,
      streamed: notHeld(known?.streamed, done && !closed ? raw : undefined),
      done,
      ...(closed ? { closed } : {}),
      ...(done ? { completedAt: event.at } : {}),
      ...(known ? { seq: known.seq, at: known.at, ...(known.turnId ? { turnId: known.turnId } : {}) } : where(event)),
    },
    event.thread_id,
  );
}

function delta(draft: Draft, event: Of<"item.delta">): void {
  const { kind, delta } = event.data;
  const key = itemKey(event);
  if (!draft.entry(key)) {
    const item: CodexItem = { type: "unknown" };
    const itemId = event.item_id ?? key;
    draft.put({ kind: "item", key, itemId, item, streamed: {}, done: false, ...where(event) }, event.thread_id);
  }
  draft.change(key, "item", (entry) => ({
    streamed: { ...entry.streamed, [kind]: (entry.streamed[kind] ?? "") + delta },
  }));
}

const approvalKey = (id: string): string => `approval:${id}`;

function asked(draft: Draft, event: Of<"approval.requested">): void {
  const { approval_id: approvalId, kind, request } = event.data;
  draft.put(
    {
      kind: "approval",
      key: approvalKey(approvalId),
      approvalId,
      approvalKind: kind,
      request: (request ?? {}) as Record<string, unknown>,
      ...(event.item_id ? { itemId: event.item_id } : {}),
      ...where(event),
    },
    event.thread_id,
  );
  draft.change(itemKey(event), "item", () => ({ waitsFor: approvalId }));
  draft.set("waiting", [...draft.get("waiting").filter((id) => id !== approvalId), approvalId]);
}

function answered(draft: Draft, event: Of<"approval.resolved">): void {
  const { approval_id: id, decision, by, message } = event.data;
  draft.change(approvalKey(id), "approval", () => ({
    resolved: { decision, by, at: event.at, ...(message ? { message } : {}) },
  }));
  const asked = draft.entry(approvalKey(id));
  if (asked?.kind === "approval" && asked.itemId) {
    draft.change(keyOfItem(asked.turnId, asked.itemId), "item", () => ({ waitsFor: undefined }));
  }
  draft.set("waiting", draft.get("waiting").filter((other) => other !== id));
}

const toolKey = (id: string): string => `tool:${id}`;

function called(draft: Draft, event: Of<"tool.requested">): void {
  const { tool_call_id: toolCallId, tool, arguments: given } = event.data;
  const item = event.item_id ? { itemKey: itemKey(event) } : {};
  draft.put(
    { kind: "tool", key: toolKey(toolCallId), toolCallId, tool, arguments: given, ...item, ...where(event) },
    event.thread_id,
  );
}

function returned(draft: Draft, event: Of<"tool.resolved">): void {
  const { tool_call_id: id, success, content } = event.data;
  draft.change(toolKey(id), "tool", () => ({ resolved: { success, content, at: event.at } }));
}

function usage(draft: Draft, event: Of<"usage.updated">): void {
  const { turn: ofTurn, session, cost_usd: cost, context_used_percent: percent, context_window: window } = event.data;
  const spent = (cost ?? 0) - (draft.get("costUsd") ?? 0);
  draft.set("usage", session);
  draft.set("costUsd", cost ?? draft.get("costUsd"));
  draft.set("contextUsedPercent", percent ?? draft.get("contextUsedPercent"));
  draft.set("contextWindow", window ?? draft.get("contextWindow"));
  const turn = event.turn_id ? draft.turn(event.turn_id) : undefined;
  if (!turn) return;
  const costUsd = cost === undefined || cost === null ? turn.costUsd : (turn.costUsd ?? 0) + Math.max(0, spent);
  draft.putTurn({ ...turn, usage: ofTurn, ...(costUsd === undefined ? {} : { costUsd }) });
}

function plan(draft: Draft, event: Of<"plan.updated">): void {
  const key = `plan:${event.thread_id ?? ""}:${event.turn_id ?? ""}`;
  const { steps } = event.data;
  if (draft.entry(key)) draft.change(key, "plan", () => ({ steps }));
  else draft.put({ kind: "plan", key, steps, ...where(event) }, event.thread_id);
}
