import { CircleAlert, CircleX, PlugZap, RotateCcw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { capital, sentence } from "../../lib/format";
import { readReason } from "../../lib/reason";
import type { Mark, MarkEntry } from "../../model/entry";
import { Words } from "../../parts/Words";
import { explain } from "../failure";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { ForkLine } from "../past/ForkLine";
import styles from "./MarkLine.module.css";
import { QuietLine } from "./QuietLine";

/** What happened around the conversation. What goes on by itself is worth a line; what somebody has to know is a card. */
export function MarkLine({ entry: { mark, key } }: { entry: MarkEntry }) {
  switch (mark.what) {
    case "forked":
      return <ForkLine from={mark.from} gone={mark.gone} />;
    case "unknown":
      return (
        <Block id={key} quiet icon={<CircleAlert size={14} />} title={`Codex ${mark.direction === "out" ? "was told" : "said"} something unknown`}>
          <Json label="Raw" value={mark.raw} />
        </Block>
      );
    case "restarted":
      return <QuietLine icon={<RotateCcw size={14} />}>{runsAgain(mark)}</QuietLine>;
    case "again":
      return <QuietLine icon={<RotateCcw size={14} />}>Cut off here: the agent begins again</QuietLine>;
    case "exited":
      return mark.idle ? <Rested id={key} mark={mark} /> : <Card {...cardOf(mark)} />;
    default:
      return <Card {...cardOf(mark)} />;
  }
}

type Of<What extends Mark["what"]> = Extract<Mark, { what: What }>;

function runsAgain({ version, attempt }: Of<"restarted">): string {
  const who = version ? `Codex ${version} runs again` : "Codex runs again";
  return attempt > 1 ? `${who}, at attempt ${attempt}` : who;
}

/** Nothing was cut: the next message starts it again. */
function Rested({ id, mark: { reason, stderr } }: { id: string; mark: Of<"exited"> }) {
  return (
    <Block id={id} quiet icon={<PlugZap size={14} />} title="Codex ended while idle, and starts when needed">
      <p className={styles.why}>{sentence(reason)}</p>
      {stderr ? <pre className={styles.printed} tabIndex={0}>{stderr}</pre> : null}
    </Block>
  );
}

interface CardProps {
  icon: ReactNode;
  tone: "amber" | "red" | "plain";
  title: string;
  message?: string | undefined;
  hint?: string | undefined;
  details?: string | undefined;
}

/** What happened, why, and what to do. */
function Card({ icon, tone, title, message, hint, details }: CardProps) {
  return (
    <div className={`${styles.mark} ${styles[tone]}`}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          <Words text={title} />
        </p>
        {message ? (
          <p>
            <Words text={sentence(message)} />
          </p>
        ) : null}
        {hint ? (
          <p className={styles.hint}>
            <Words text={sentence(hint)} />
          </p>
        ) : null}
        {details ? (
          <details>
            <summary>What Codex printed last</summary>
            <pre className={styles.printed} tabIndex={0}>{details}</pre>
          </details>
        ) : null}
      </div>
    </div>
  );
}

const TURNS = { failed: "The turn failed", interrupted: "Interrupted", lost: "The turn was lost: nobody knows how far it came" };

function cardOf(mark: Of<"warning" | "exited" | "turn" | "state">): CardProps {
  switch (mark.what) {
    case "warning":
      return { icon: <TriangleAlert size={15} />, tone: "amber", title: capital(mark.message), hint: mark.hint };
    case "exited":
      return { icon: <PlugZap size={15} />, tone: "amber", title: "Codex ended in the middle of a turn", message: mark.reason, details: mark.stderr };
    case "turn": {
      const { message, hint } = explain(mark.error, mark.status);
      return { icon: <CircleX size={15} />, tone: mark.status === "interrupted" ? "plain" : "red", title: TURNS[mark.status], message, hint };
    }
    case "state": {
      const { words, printed } = readReason(mark.reason ?? "");
      const hint = "Start it again; what was said and done is kept.";
      return { icon: <CircleX size={15} />, tone: "red", title: "The session has failed", message: words, hint, details: printed };
    }
  }
}
