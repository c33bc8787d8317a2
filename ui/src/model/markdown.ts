// A conversation as markdown that people read elsewhere: what was said in full, what was done in short.
import type { Conversation, Turn } from "./conversation";
import { agentKey } from "./draft";
import type { Past } from "./past";
import type { CodexItem, Entry, ItemEntry, MessageEntry } from "./entry";

/** All of a session; of a fork, what it took over comes first. */
export function asMarkdown(title: string, own: Conversation, past: readonly Past[] = []): string {
  return [`# ${title}`, ...past.flatMap(takenOver), ...all(own)].join("\n\n") + "\n";
}

const all = ({ order, entries }: Conversation): string[] => order.flatMap((key) => inside(key, entries));

/** In the words of `selvedge export`. */
function takenOver({ sessionId, conversation }: Past): string[] {
  const from = `session \`${sessionId.slice(-8)}\``;
  const parts = conversation ? [`*Taken over from ${from}:*`, ...all(conversation)] : [`*What was taken over from ${from} was removed with it.*`];
  return [...parts, "---", "*Forked here.*"];
}

/** One message, as it was written. */
export function entryAsMarkdown(entry: MessageEntry | ItemEntry): string {
  return (entry.kind === "message" ? words(entry) : item(entry.item, entry.streamed.text)) ?? "";
}

/** A turn: what was said to the agent, and everything it did about it, its sub-agents' work too. */
export function turnAsMarkdown(turn: Turn, entries: Conversation["entries"]): string {
  const said = turn.messageIds.flatMap((id) => inside(`message:${id}`, entries));
  const made: string[] = [];
  for (const entry of entries.values()) {
    if (entry.turnId !== turn.id || entry.kind === "agent") continue;
    made.push(...inside(entry.key, entries));
    if (entry.kind === "item" && entry.item["tool"] === "spawnAgent") made.push(...spawned(entry.item, entries));
  }
  return `${[...said, ...made].join("\n\n")}\n`;
}

const spawned = ({ receiverThreadIds: ids }: CodexItem, entries: Conversation["entries"]): string[] =>
  Array.isArray(ids) ? ids.flatMap((id) => inside(agentKey(String(id)), entries)) : [];

const words = ({ input }: MessageEntry): string =>
  input.map((part) => (part.type === "text" ? part.text : "*(picture)*")).join("\n\n");

function part(entry: Entry, entries: Conversation["entries"]): string | undefined {
  switch (entry.kind) {
    case "message":
      return `## ${entry.sender ?? "You"}\n\n${words(entry)}`;
    case "item":
      return item(entry.item, entry.streamed.text);
    case "plan":
      return entry.steps.map(({ step, status }) => `- [${status === "completed" ? "x" : " "}] ${step}`).join("\n");
    case "approval":
      return entry.resolved && `*Asked (${entry.approvalKind}): ${entry.resolved.decision} by ${entry.resolved.by}*`;
    case "tool":
      return `*Tool \`${entry.tool}\`*`;
    case "agent":
      return entry.order.flatMap((key) => inside(key, entries)).map(quoted).join("\n>\n");
    case "mark":
      return undefined;
  }
}

function inside(key: string, entries: Conversation["entries"]): string[] {
  const entry = entries.get(key);
  const said = entry && part(entry, entries);
  return said ? [said] : [];
}

function item(item: CodexItem, streamed: string | undefined): string | undefined {
  const text = (field: string): string => (typeof item[field] === "string" ? item[field] : "");
  switch (item.type) {
    case "agentMessage":
      return text("text") || streamed;
    case "commandExecution":
      return fenced("console", `$ ${text("command")}\n${text("aggregatedOutput")}`.trimEnd());
    case "fileChange":
      return (Array.isArray(item["changes"]) ? (item["changes"] as { path?: string; diff?: string }[]) : [])
        .map(({ path, diff }) => `\`${path}\`\n\n${fenced("diff", (diff ?? "").trimEnd())}`)
        .join("\n\n");
    case "webSearch":
      return `*Searched: ${text("query")}*`;
    default:
      return undefined;
  }
}

const quoted = (text: string): string => text.split("\n").map((line) => `> ${line}`).join("\n");

/** A fence longer than any inside. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
