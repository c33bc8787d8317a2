// What stands in a conversation: each kind of entry, as the page shows it. Codex's own items keep their own names and fields;
// what this page does not know is shown all the same, as an item of an unknown type.
import type { ApprovalKind, Decision, Failure, InputPart, MessageState, PlanStep } from "../api/types";

/** An item as Codex names it; only `type` is sure. */
export interface CodexItem {
  type: string;
  id?: string;
  [field: string]: unknown;
}

interface Common {
  /** Unique in the conversation, and the same after a reload. */
  key: string;
  /** Of the event that made it: a link to it, and its place. */
  seq: number;
  at: string;
  turnId?: string;
}

/** What somebody said to the agent. */
export interface MessageEntry extends Common {
  kind: "message";
  messageId: string;
  input: InputPart[];
  state: MessageState;
  sender?: string;
  /** It went into the turn of this message. */
  steeredInto?: string;
  attempt: number;
  error?: Failure;
}

/** What the agent said, thought, ran, changed, searched. */
export interface ItemEntry extends Common {
  kind: "item";
  itemId: string;
  item: CodexItem;
  /** Of the event that said the item as it is now. */
  itemSeq?: number;
  /** What came piece by piece until the item was complete. */
  streamed: Partial<Record<"text" | "reasoning" | "reasoning_summary" | "output" | "patch" | "plan", string>>;
  done: boolean;
  /** It was closed by the runtime and not by Codex: why. */
  closed?: string;
  completedAt?: string;
  /** The approval that it waits for; that one shows what it would do. */
  waitsFor?: string | undefined;
}

/** Where an item stands. */
export const keyOfItem = (turnId: string | undefined, itemId: string | number): string => `item:${turnId ?? ""}:${itemId}`;

/** Something Codex asks a person. */
export interface ApprovalEntry extends Common {
  kind: "approval";
  approvalId: string;
  approvalKind: ApprovalKind;
  request: Record<string, unknown>;
  itemId?: string;
  resolved?: { decision: Decision; by: string; message?: string; at: string };
}

/** A call of one of the session's own tools, which the caller answers. */
export interface ToolEntry extends Common {
  kind: "tool";
  toolCallId: string;
  /** The item of the same call. */
  itemKey?: string;
  tool: string;
  arguments: unknown;
  resolved?: { success: boolean; content: unknown; at: string };
}

/** The plan as it stands; one for each turn. */
export interface PlanEntry extends Common {
  kind: "plan";
  steps: PlanStep[];
}

/** Everything a sub-agent did, folded into one place of its parent. */
export interface AgentEntry extends Common {
  kind: "agent";
  threadId: string;
  /** Keys of its own entries, in order. */
  order: string[];
  done: boolean;
}

export type Mark =
  | { what: "warning"; code: string; message: string; hint?: string }
  /** `idle`: no turn was under way. */
  | { what: "exited"; reason: string; stderr: string; idle: boolean }
  | { what: "restarted"; attempt: number; version?: string }
  | { what: "turn"; status: "failed" | "interrupted" | "lost"; error?: Failure }
  /** A turn was cut, and its message is given to the agent once more. */
  | { what: "again" }
  | { what: "state"; state: string; reason?: string }
  | { what: "forked"; from: string; gone: boolean }
  | { what: "unknown"; direction: string; raw: string };

/** What happened around the conversation and has to be seen. */
export interface MarkEntry extends Common {
  kind: "mark";
  mark: Mark;
}

export type Entry =
  | MessageEntry
  | ItemEntry
  | ApprovalEntry
  | ToolEntry
  | PlanEntry
  | AgentEntry
  | MarkEntry;
