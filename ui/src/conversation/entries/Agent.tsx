import { Bot } from "lucide-react";
import { useContext } from "react";
import type { AgentEntry, Entry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { EntriesContext } from "../context";
import { listOf, textOf } from "../../lib/fields";
import { isShown } from "../rows";
import { EntryView } from "./EntryView";
import styles from "./Agent.module.css";

/** A sub-agent: one line with its task, and inside everything it did. */
export function Agent({ entry }: { entry: AgentEntry }) {
  const entries = useContext(EntriesContext);
  const task = taskOf(entry.threadId, entries);
  const steps = entry.order.length;
  return (
    <Block
      id={entry.key}
      icon={<Bot size={14} />}
      title={task ? `Sub-agent: ${task}` : "Sub-agent"}
      meta={`${entry.done ? "done" : "running"} · ${steps} ${steps === 1 ? "step" : "steps"}`}
    >
      <div className={styles.inside}>
        {entry.order.map((key) => {
          const inner = entries.get(key);
          return inner && isShown(inner, entries) ? <EntryView key={key} entry={inner} /> : null;
        })}
      </div>
    </Block>
  );
}

/** What it was started for: its parent's call says it. */
function taskOf(threadId: string, entries: ReadonlyMap<string, Entry>): string | undefined {
  for (const entry of entries.values()) {
    if (entry.kind !== "item" || entry.item.type !== "collabAgentToolCall") continue;
    const prompt = textOf(entry.item["prompt"]);
    if (prompt && listOf(entry.item["receiverThreadIds"]).includes(threadId)) return prompt;
  }
  return undefined;
}
