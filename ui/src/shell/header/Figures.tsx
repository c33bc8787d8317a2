import { count, dollars } from "../../lib/format";
import type { Conversation } from "../../model/conversation";
import { Meter } from "../../parts/Meter";
import styles from "./Figures.module.css";

/** Cost, tokens, and how full the model's context is. */
export function Figures({ conversation }: { conversation: Conversation }) {
  const { costUsd, usage, contextUsedPercent } = conversation;
  return (
    <span className={styles.figures}>
      {costUsd !== undefined && <span title="Cost so far">{dollars(costUsd)}</span>}
      {usage && usage.total > 0 && <span className={styles.tokens} title={`${usage.total.toLocaleString()} tokens`}>{count(usage.total)} tokens</span>}
      {contextUsedPercent !== undefined && (
        <span className={styles.context} title={`${contextUsedPercent} % of the model's context is used`}>
          <span className={styles.meter}>
            <Meter label="Context used" percent={contextUsedPercent} words={`${contextUsedPercent} %`} />
          </span>
          <span aria-hidden>
            {contextUsedPercent} % <span className={styles.word}>context</span>
          </span>
        </span>
      )}
    </span>
  );
}
