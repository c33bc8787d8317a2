import { Users } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { textOf } from "../../lib/fields";
import { howItWent } from "./ended";

const WORDS: Record<string, string> = {
  spawnAgent: "Started a sub-agent",
  sendInput: "Told a sub-agent more",
  wait: "Waited for a sub-agent",
  resumeAgent: "Took a sub-agent up again",
  closeAgent: "Ended a sub-agent",
};

/** What the agent does with its sub-agents. */
export function Collab({ entry }: { entry: ItemEntry }) {
  const { item, key } = entry;
  const tool = textOf(item["tool"]) ?? "";
  const prompt = textOf(item["prompt"]);
  const went = howItWent(entry);
  return (
    <Block
      id={key}
      quiet
      icon={<Users size={14} />}
      tone={went.tone}
      title={`${WORDS[tool] ?? `Sub-agents: ${tool}`}${prompt ? `: ${prompt}` : ""}`}
      meta={went.words}
    >
      <Json label="Item" value={item} />
    </Block>
  );
}
