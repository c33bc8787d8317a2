import { Terminal } from "lucide-react";
import { duration } from "../../lib/format";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Copy } from "../blocks/Copy";
import { usePlace } from "../context";
import { numberOf, textOf } from "../../lib/fields";
import { innerCommand } from "../terminal/command";
import { Output } from "../terminal/Output";
import { howItWent } from "./ended";
import styles from "./Command.module.css";

/** A command as on a terminal: what was run, where, what it printed, how it ended. */
export function Command({ entry }: { entry: ItemEntry }) {
  const { item, streamed, key } = entry;
  const { cwd: home } = usePlace();
  const command = innerCommand(textOf(item["command"]) ?? "");
  const output = textOf(item["aggregatedOutput"]) ?? streamed.output ?? "";
  const cwd = textOf(item["cwd"]);
  const went = howItWent(entry);
  const took = numberOf(item["durationMs"]);
  // What the head has no room for stands in full under it.
  const long = command.split("\n").length > 4 || command.length > 320;
  return (
    <Block
      id={key}
      open
      icon={<Terminal size={14} />}
      tone={went.tone}
      title={<code className={styles.command}>{command}</code>}
      meta={[went.words, took === undefined || !entry.done ? undefined : duration(took)].filter(Boolean).join(" · ")}
    >
      {cwd && cwd !== home ? (
        <p className={styles.where}>
          in <code>{cwd}</code>
        </p>
      ) : null}
      {long ? (
        <div className={styles.full}>
          <pre>{command}</pre>
          <Copy text={command} label="Copy command" />
        </div>
      ) : null}
      {output ? <Output id={key} output={output} /> : <p className={styles.nothing}>{entry.done ? "No output" : "No output yet"}</p>}
    </Block>
  );
}
