import { Bot } from "lucide-react";
import { useContext, useTransition } from "react";
import type { AgentEntry, Entry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { EntriesContext } from "../context";
import { listOf, textOf } from "../../lib/fields";
import { useFold } from "../../lib/useFold";
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
      <Inside entry={entry} entries={entries} />
    </Block>
  );
}

/** So many steps are shown until somebody wants more: the last ones, where the news is. */
const LAST = 50;

function Inside({ entry, entries }: { entry: AgentEntry; entries: ReadonlyMap<string, Entry> }) {
  const [all, toggle] = useFold(`${entry.key}:all`, false);
  const [pending, start] = useTransition();
  const steps = entry.order.length;
  const shown = all ? entry.order : entry.order.slice(-LAST);
  return (
    <div className={styles.inside} aria-busy={pending}>
      {steps > LAST ? (
        <button type="button" className={styles.more} aria-expanded={all} disabled={pending} onClick={() => start(toggle)}>
          {pending ? "One moment…" : all ? `Show only the last ${LAST} steps` : `The last ${LAST} of ${steps.toLocaleString()} steps. Show all`}
        </button>
      ) : null}
      {shown.map((key) => {
        const inner = entries.get(key);
        return inner && isShown(inner, entries) ? (
          <div key={key} className={styles.step}>
            <EntryView entry={inner} />
          </div>
        ) : null;
      })}
    </div>
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
