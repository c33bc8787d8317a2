import type { ItemEntry } from "../../model/entry";
import { fields, number, text } from "../fields";
import { howItWent } from "./ended";
import { ToolCall } from "./ToolCall";

/** A call of a tool of an MCP server, or of one of the session's own. */
export function ToolItem({ entry }: { entry: ItemEntry }) {
  const { item, key, done } = entry;
  const owner = text(item["server"]) ?? text(item["namespace"]);
  return (
    <ToolCall
      id={key}
      tool={owner ? `${owner} · ${text(item["tool"])}` : (text(item["tool"]) ?? "a tool")}
      given={item["arguments"]}
      answer={item["error"] ?? item["contentItems"] ?? shortResult(item["result"])}
      went={howItWent(entry)}
      took={done ? number(item["durationMs"]) : undefined}
    />
  );
}

/** A result without what is empty in it. */
function shortResult(result: unknown): unknown {
  const filled = Object.entries(fields(result)).filter(([, value]) => value !== null);
  return filled.length === 0 ? (result ?? undefined) : Object.fromEntries(filled);
}
