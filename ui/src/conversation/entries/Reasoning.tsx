import { Brain } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { wordsOf } from "../../lib/fields";
import { Markdown } from "../markdown/Markdown";
import { heading } from "./heading";
import styles from "./Reasoning.module.css";

/** What the agent thought: one line with its first heading, until somebody wants to read it. */
export function Reasoning({ entry }: { entry: ItemEntry }) {
  const { item, streamed, done, key } = entry;
  const summary = wordsOf(item["summary"]).join("\n\n") || streamed.reasoning_summary;
  const content = wordsOf(item["content"]).join("\n\n") || streamed.reasoning;
  const thought = (summary || content) ?? "";
  const title = heading(thought);
  const verb = done ? "Thought" : "Thinking";
  return (
    <Block id={key} quiet icon={<Brain size={14} />} title={title ? `${verb}: ${title}` : verb}>
      <div className={styles.thought}>
        <Markdown text={thought} />
        {summary && content && content !== summary ? <Markdown text={content} /> : null}
      </div>
    </Block>
  );
}
