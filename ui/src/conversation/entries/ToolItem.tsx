import type { ItemEntry } from "../../model/entry";
import { fieldsOf, numberOf, textOf } from "../../lib/fields";
import { howItWent } from "./ended";
import { ToolCall } from "./ToolCall";

/** A call of a tool of an MCP server, or of one of the session's own. */
export function ToolItem({ entry }: { entry: ItemEntry }) {
  const { item, key, done } = entry;
  const owner = textOf(item["server"]) ?? textOf(item["namespace"]);
  return (
    <ToolCall
      id={key}
      tool={owner ? `${owner} · ${textOf(item["tool"])}` : (textOf(item["tool"]) ?? "a tool")}
      given={item["arguments"]}
      answer={item["error"] ?? item["contentItems"] ?? shortResult(item["result"])}
      went={howItWent(entry)}
      took={done ? numberOf(item["durationMs"]) : undefined}
    />
  );
}

/** A result without what is empty in it. */
function shortResult(result: unknown): unknown {
  const filled = Object.entries(fieldsOf(result)).filter(([, value]) => value !== null);
  return filled.length === 0 ? (result ?? undefined) : Object.fromEntries(filled);
}
