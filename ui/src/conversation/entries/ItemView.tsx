import { Minimize2, ScanEye, SquareCheckBig, Timer } from "lucide-react";
import { duration } from "../../lib/format";
import type { ItemEntry } from "../../model/entry";
import { numberOf, textOf } from "../../lib/fields";
import { Markdown } from "../markdown/Markdown";
import { Collab } from "./Collab";
import { Command } from "./Command";
import { FileChange } from "./FileChange";
import { ImageView } from "./ImageView";
import { QuietLine } from "./QuietLine";
import { RawItem } from "./RawItem";
import { Reasoning } from "./Reasoning";
import { ToolItem } from "./ToolItem";
import { WebSearch } from "./WebSearch";

/** One of Codex's items, by its type. A type that is not known is shown as it came: nothing is hidden. */
export function ItemView({ entry }: { entry: ItemEntry }) {
  const { item, streamed } = entry;
  switch (item.type) {
    case "agentMessage":
      return <Markdown text={textOf(item["text"]) ?? streamed.text ?? ""} />;
    case "plan":
      return <Markdown text={textOf(item["text"]) ?? streamed.plan ?? ""} />;
    case "reasoning":
      return <Reasoning entry={entry} />;
    case "commandExecution":
      return <Command entry={entry} />;
    case "fileChange":
      return <FileChange entry={entry} />;
    case "mcpToolCall":
    case "dynamicToolCall":
      return <ToolItem entry={entry} />;
    case "webSearch":
      return <WebSearch entry={entry} />;
    case "imageView":
    case "imageGeneration":
      return <ImageView entry={entry} />;
    case "collabAgentToolCall":
      return <Collab entry={entry} />;
    case "sleep":
      return <QuietLine icon={<Timer size={14} />}>Waited {duration(numberOf(item["durationMs"]) ?? 0)}</QuietLine>;
    case "contextCompaction":
      return (
        <QuietLine icon={<Minimize2 size={14} />} ruled>
          {entry.done ? "The conversation so far was summed up, to make room" : "Summing the conversation up, to make room"}
        </QuietLine>
      );
    case "enteredReviewMode":
      return (
        <QuietLine icon={<ScanEye size={14} />} ruled>
          Review begun{textOf(item["review"]) ? `: ${textOf(item["review"])}` : ""}
        </QuietLine>
      );
    case "exitedReviewMode":
      return (
        <QuietLine icon={<SquareCheckBig size={14} />} ruled>
          Review ended
        </QuietLine>
      );
    default:
      return <RawItem entry={entry} />;
  }
}
