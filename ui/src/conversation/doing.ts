// What the agent does at this moment, in a few words.
import type { Conversation } from "../model/conversation";
import type { CodexItem, Entry, ItemEntry } from "../model/entry";
import { textOf } from "../lib/fields";
import { innerCommand } from "./terminal/command";

export interface Doing {
  words: string;
  /** A command or a name, shown as code. */
  what?: string;
  since: string | undefined;
  /** It is a person who is waited for. */
  waits: boolean;
}

export function doing(conversation: Conversation): Doing | undefined {
  const { runningTurn, turns, lifecycle, waiting } = conversation;
  const since = runningTurn ? turns.get(runningTurn)?.startedAt : undefined;
  if (lifecycle === "recovering") return { words: "Getting Codex back", since: undefined, waits: false };
  if (runningTurn === undefined) {
    return lifecycle === "starting" && conversation.seq > 0 ? { words: "Starting", since, waits: false } : undefined;
  }
  if (waiting.length > 0) return { words: "Waits for your answer", since, waits: true };
  const open = lastOpen(conversation);
  return { ...(open ? doingOf(open.item) : { words: "Thinking" }), since, waits: false };
}

/** Items that are not complete are among the last: nobody looks further back. */
function lastOpen({ order, entries }: Conversation): ItemEntry | undefined {
  const last: (Entry | undefined)[] = order.slice(-30).map((key) => entries.get(key));
  return last.findLast((entry) => entry?.kind === "item" && !entry.done) as ItemEntry | undefined;
}

/** What an item that is under way means, in a few words. */
export function doingOf(item: CodexItem): { words: string; what?: string } {
  switch (item.type) {
    case "agentMessage":
      return { words: "Writing" };
    case "commandExecution":
      return { words: "Running", what: innerCommand(textOf(item["command"]) ?? "") };
    case "fileChange":
      return { words: "Changing files" };
    case "mcpToolCall":
    case "dynamicToolCall":
      return { words: "Using", what: textOf(item["tool"]) ?? "a tool" };
    case "webSearch":
      return { words: "Searching the web" };
    case "collabAgentToolCall":
      return { words: "Working with a sub-agent" };
    case "contextCompaction":
      return { words: "Summing the conversation up" };
    default:
      return { words: "Thinking" };
  }
}
