import type { ToolEntry } from "../../model/entry";
import { ToolCall } from "./ToolCall";

/** A call that whoever made the session answers. */
export function OwnTool({ entry }: { entry: ToolEntry }) {
  const { resolved, tool } = entry;
  const words = resolved ? (resolved.success ? "answered by the caller" : "failed") : "waits for the caller";
  return (
    <ToolCall
      id={entry.key}
      tool={tool}
      given={entry.arguments}
      answer={resolved?.content}
      went={{ words, tone: resolved && !resolved.success ? "red" : "plain" }}
      took={resolved ? Date.parse(resolved.at) - Date.parse(entry.at) : undefined}
    />
  );
}
