import { Gauge } from "lucide-react";
import { useMemo } from "react";
import { count, dollars } from "../lib/format";
import type { Conversation } from "../model/conversation";
import { Note } from "./changes/Note";
import { Context } from "./usage/Context";
import { Figure } from "./usage/Figure";
import { TurnTable } from "./usage/TurnTable";
import { turnLines } from "./usage/turns";
import styles from "./UsageView.module.css";

interface Props {
  conversation: Conversation;
}

/** What the session used: tokens, money, context; in all and by turn. */
export function UsageView({ conversation }: Props) {
  const { usage, costUsd, contextUsedPercent, contextWindow, turns, entries } = conversation;
  const lines = useMemo(() => turnLines({ turns, entries }), [turns, entries]);
  if (!usage) {
    return <Note icon={<Gauge size={28} />} title="Nothing used yet" words="Tokens, cost and context are counted from the first answer on." />;
  }
  const cached = usage.input > 0 ? `${Math.round((usage.cached_input / usage.input) * 100)}% cached` : undefined;
  return (
    <div className={styles.view} role="region" aria-label="Usage" tabIndex={0}>
      <div className={styles.column}>
        <dl className={styles.figures}>
          <Figure label="Tokens" value={count(usage.total)} note={`in ${lines.length} ${lines.length === 1 ? "turn" : "turns"}`} />
          <Figure label="Input" value={count(usage.input)} note={cached && `${count(usage.cached_input)}, ${cached}`} />
          <Figure label="Output" value={count(usage.output)} note={`${count(usage.reasoning_output)} of it reasoning`} />
          <Figure label="Cost" value={costUsd === undefined ? "–" : dollars(costUsd)} note={costUsd === undefined ? "no price is known" : undefined} />
        </dl>
        {contextUsedPercent === undefined ? null : <Context percent={contextUsedPercent} window={contextWindow} />}
        <h2 className={styles.title}>By turn</h2>
        <TurnTable turns={lines} priced={costUsd !== undefined} />
      </div>
    </div>
  );
}
