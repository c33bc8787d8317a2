// What an event is called, in words.
import type { Event } from "../api/types";
import { fieldsOf, textOf } from "../lib/fields";

const ITEMS: Record<string, string> = {
  agentMessage: "Answer",
  commandExecution: "Command",
  fileChange: "File change",
  mcpToolCall: "Tool call",
  dynamicToolCall: "Tool call",
  collabAgentToolCall: "Sub-agent",
  webSearch: "Web search",
  reasoning: "Reasoning",
  plan: "Plan",
  userMessage: "Message to the agent",
  contextCompaction: "Compaction",
};

const PIECES: Record<string, string> = {
  text: "Piece of an answer",
  reasoning: "Piece of reasoning",
  reasoning_summary: "Piece of reasoning",
  output: "Output of a command",
  patch: "Piece of a file change",
  plan: "Piece of a plan",
};

const DECISIONS: Record<string, string> = {
  accept: "Accepted",
  accept_for_session: "Accepted for the session",
  decline: "Declined",
  cancel: "Declined, turn ended",
};

export function nameOf(event: Event): string {
  switch (event.type) {
    case "session.created":
      return "Session created";
    case "session.updated":
      return "Settings changed";
    case "session.state":
      return `Session ${event.data.state}`;
    case "session.warning":
      return "Warning";
    case "session.removed":
      return "Session removed";
    case "message.accepted":
      return "Message accepted";
    case "message.updated":
      return "Queued message changed";
    case "message.started":
      return "Message started";
    case "message.finished":
      return `Message ${event.data.status}`;
    case "turn.started":
      return "Turn started";
    case "turn.completed":
      return `Turn ${event.data.status}`;
    case "item.started":
      return `${itemName(event.data.item)} started`;
    case "item.completed":
      return `${itemName(event.data.item)} completed`;
    case "item.delta":
      return PIECES[event.data.kind] ?? "Piece of an item";
    case "approval.requested":
      return "Approval requested";
    case "approval.resolved":
      return DECISIONS[event.data.decision] ?? "Approval resolved";
    case "tool.requested":
      return `Tool ${event.data.tool} called`;
    case "tool.resolved":
      return event.data.success ? "Tool answered" : "Tool failed";
    case "usage.updated":
      return "Usage counted";
    case "plan.updated":
      return "Plan changed";
    case "diff.updated":
      return "Changed files counted";
    case "codex.exited":
      return "Codex ended";
    case "codex.restarted":
      return "Codex started again";
    case "codex.notice":
      return "Notice of Codex";
    case "codex.unknown":
      return "Something unknown";
  }
}

function itemName(item: unknown): string {
  const type = textOf(fieldsOf(item)["type"]) ?? "";
  return ITEMS[type] ?? "Item";
}

/** The time of day, to the second; the date before it if it was another day. */
export function clockOf(at: string, now = new Date()): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  if (date.toDateString() === now.toDateString()) return time;
  return `${date.toLocaleDateString(undefined, { month: "short", day: "numeric" })}, ${time}`;
}
