import { useContext } from "react";
import { count, duration } from "../../lib/format";
import type { Turn } from "../../model/conversation";
import { turnAsMarkdown } from "../../model/markdown";
import { LazyCopy } from "../blocks/LazyCopy";
import { EntriesContext } from "../context";
import { QuietLine } from "./QuietLine";
import styles from "./TurnEnd.module.css";

/** Where a turn ended: how long it took and what it used. */
export function TurnEnd({ turn }: { turn: Turn }) {
  const words = [
    turn.durationMs === undefined ? undefined : duration(turn.durationMs),
    turn.usage ? `${count(turn.usage.total)} tokens` : undefined,
  ].filter(Boolean);
  const entries = useContext(EntriesContext);
  return (
    <div className={styles.end}>
      <QuietLine ruled>{words.join(" · ") || "Done"}</QuietLine>
      <span className={styles.copy}>
        <LazyCopy label="Copy the turn as markdown" make={() => turnAsMarkdown(turn, entries)} />
      </span>
    </div>
  );
}
