import { CircleAlert, CircleX, RotateCcw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { sentence } from "../../lib/format";
import type { Mark, MarkEntry } from "../../model/entry";
import { Words } from "../../parts/Words";
import { explain } from "../failure";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { ForkLine } from "../past/ForkLine";
import styles from "./MarkLine.module.css";

/** What happened around the conversation: what, then what to do. */
export function MarkLine({ entry }: { entry: MarkEntry }) {
  const { mark, key } = entry;
  if (mark.what === "forked") return <ForkLine from={mark.from} gone={mark.gone} />;
  if (mark.what === "unknown") {
    return (
      <Block id={key} quiet icon={<CircleAlert size={14} />} title={`Codex ${mark.direction === "out" ? "was told" : "said"} something unknown`}>
        <Json label="Raw" value={mark.raw} />
      </Block>
    );
  }
  const { icon, tone, words, hint, details } = shown(mark);
  return (
    <div className={`${styles.mark} ${styles[tone]}`}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <div className={styles.text}>
        <p>{words}</p>
        {hint ? (
          <p className={styles.hint}>
            <Words text={sentence(hint)} />
          </p>
        ) : null}
        {details ? (
          <details>
            <summary>What it printed last</summary>
            <pre tabIndex={0}>{details}</pre>
          </details>
        ) : null}
      </div>
    </div>
  );
}

interface Shown {
  icon: ReactNode;
  tone: "amber" | "red" | "plain";
  words: string;
  hint?: string | undefined;
  details?: string;
}

const TURNS = { failed: "The turn failed", interrupted: "Interrupted", lost: "The turn was lost: nobody knows how far it came" };

function shown(mark: Exclude<Mark, { what: "unknown" | "forked" }>): Shown {
  switch (mark.what) {
    case "warning":
      return { icon: <TriangleAlert size={15} />, tone: "amber", words: mark.message, hint: mark.hint };
    case "exited":
      return { icon: <CircleX size={15} />, tone: "red", words: `Codex ended: ${mark.reason}`, details: mark.stderr };
    case "restarted": {
      const version = mark.version ? `Codex ${mark.version} runs again` : "Codex runs again";
      return { icon: <RotateCcw size={15} />, tone: "plain", words: mark.attempt > 1 ? `${version}, at attempt ${mark.attempt}` : version };
    }
    case "turn": {
      const { message, hint } = explain(mark.error, mark.status);
      const words = message ? `${TURNS[mark.status]}: ${message}` : TURNS[mark.status];
      const tone = mark.status === "interrupted" ? "plain" : "red";
      return { icon: <CircleX size={15} />, tone, words, hint };
    }
    case "again":
      return { icon: <RotateCcw size={15} />, tone: "plain", words: "Cut off here: the agent begins again" };
    case "state":
      return {
        icon: <CircleX size={15} />,
        tone: "red",
        words: `The session ${mark.state}${mark.reason ? `: ${mark.reason}` : ""}`,
        hint: "Start it again; what was said and done is kept.",
      };
  }
}
