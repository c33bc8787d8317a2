import { CircleAlert, CornerDownRight } from "lucide-react";
import { memo } from "react";
import type { InputPart } from "../../api/types";
import { sentence } from "../../lib/format";
import { otherSender } from "../../lib/sender";
import type { MessageEntry } from "../../model/entry";
import { attachment } from "../../model/files";
import { Words } from "../../parts/Words";
import { usePlace } from "../context";
import { Pictures } from "../pictures/Pictures";
import { explain } from "../failure";
import { ForkHere } from "../past/ForkHere";
import styles from "./Message.module.css";

interface Props {
  entry: MessageEntry;
  /** The turn says further down why it ended badly. */
  told: boolean;
}

const ENDS = { failed: "Failed", interrupted: "Interrupted", lost: "Lost" } as const;

/** What somebody said to the agent. */
export function Message({ entry, told }: Props) {
  const { state, error, steeredInto, attempt } = entry;
  const sender = otherSender(entry.sender);
  // Taken back, or its session was stopped: nothing came of it, and there is nothing to look after.
  const never = state === "interrupted" && attempt === 0;
  const end = state === "failed" || state === "interrupted" || state === "lost" ? (never ? "The agent never got this" : ENDS[state]) : undefined;
  const hint = end && !told && !never ? explain(error, state) : undefined;
  return (
    <article className={styles.message} aria-label={sender ? `Message of ${sender}` : "Your message"}>
      {/* A turn begins here: listeners go from heading to heading. */}
      <h2 className="visually-hidden">{`${sender ?? "You"}: ${firstWords(entry.input)}`}</h2>
      {sender || steeredInto || attempt > 1 ? (
        <p className={styles.about}>
          {steeredInto ? <CornerDownRight size={12} aria-hidden /> : null}
          {[sender, steeredInto && "said while it worked", attempt > 1 && `attempt ${attempt}`].filter(Boolean).join(" · ")}
        </p>
      ) : null}
      <div className={styles.said}>
        <div className={styles.bubble}>
          {entry.input.map((part, at) => (
            <Part key={at} part={part} />
          ))}
        </div>
        {canFork(entry) ? <ForkHere messageId={entry.messageId} /> : null}
      </div>
      {end ? (
        <p className={state === "interrupted" ? styles.end : `${styles.end} ${styles.bad}`}>
          <CircleAlert size={13} aria-hidden />
          <span>
            {end}
            {hint?.message ? `: ${hint.message}` : ""}
            {hint?.hint ? (
              <span className={styles.hint}>
                <Words text={sentence(hint.hint)} />
              </span>
            ) : null}
          </span>
        </p>
      ) : null}
    </article>
  );
}

/** A fork has whole turns: there has to be one, and it has to be over. */
const canFork = ({ state, attempt }: MessageEntry): boolean => attempt > 0 && state !== "running" && state !== "waiting" && state !== "queued";

function firstWords(input: readonly InputPart[]): string {
  const text = input.find((part) => part.type === "text")?.text.trim() ?? "picture";
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}

const Part = memo(function Part({ part }: { part: InputPart }) {
  const { sessionId } = usePlace();
  if (part.type === "text") return <p className={styles.text}>{part.text}</p>;
  return <Pictures pictures={[{ src: attachment(sessionId, part.sha256), alt: "Picture with the message" }]} />;
});
