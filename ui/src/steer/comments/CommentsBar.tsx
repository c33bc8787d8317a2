import { ChevronRight, MessageSquare } from "lucide-react";
import { useId, useState } from "react";
import { tell } from "../../lib/notices";
import type { Conversation } from "../../model/conversation";
import { Button } from "../../parts/Button";
import { BusyChoice } from "../composer/BusyChoice";
import { isBusy, useWay } from "../composer/busy";
import { send } from "../composer/deliver";
import { outboxOf } from "../composer/outbox";
import styles from "./CommentsBar.module.css";
import { CommentsList } from "./CommentsList";
import { isSaid, remove, useComments } from "./comments";
import { asMessage, countOf } from "./message";
import { waitingPlaces } from "./place";

interface Props {
  sessionId: string;
  conversation: Conversation;
  /** Where no composer says how messages are sent while the agent works. */
  alone?: boolean;
}

/** How many comments there are, and what becomes of them: one message, or nothing. */
export function CommentsBar({ sessionId, conversation, alone = false }: Props) {
  const [open, setOpen] = useState(false);
  const [doubting, setDoubting] = useState(false);
  const list = useId();
  const [way, choose, tellWay] = useWay(sessionId, conversation);
  const busy = isBusy(conversation);
  const all = useComments(sessionId);
  const waiting = waitingPlaces(conversation);
  const comments = all.filter((comment) => isSaid(comment) && !waiting.has(comment.where));
  if (comments.length === 0) return null;
  const drop = () => {
    setDoubting(false);
    remove(sessionId, comments.map(({ id }) => id));
  };
  const sendAll = async () => {
    const draft = { text: asMessage(comments, conversation.settings?.cwd), pictures: [] };
    drop();
    await send(sessionId, draft, busy || tellWay ? way : undefined);
    // Where the conversation is in sight it says so itself; what waits or was refused is in the outbox.
    const stays = outboxOf(sessionId).get().some((it) => it.draft === draft && it.state !== "accepted");
    if (alone && !stays) tell(`${countOf(comments.length)} sent as one message. Talk shows what becomes of it.`);
  };
  return (
    <section className={styles.bar} aria-label="Comments on lines">
      <p role="status" className="visually-hidden">
        {countOf(comments.length)} to send
      </p>
      <div className={styles.row}>
        <button type="button" className={styles.count} aria-expanded={open} aria-controls={open ? list : undefined} onClick={() => setOpen(!open)}>
          <MessageSquare size={14} aria-hidden />
          {countOf(comments.length)}
          <ChevronRight size={14} aria-hidden className={styles.chevron} />
        </button>
        <span className={styles.space} />
        {alone && busy ? <BusyChoice way={way} onChoose={choose} /> : null}
        {doubting ? (
          <>
            <Button look="danger" onClick={drop}>
              Discard {comments.length === 1 ? "it" : `all ${comments.length}`}
            </Button>
            <Button look="quiet" autoFocus onClick={() => setDoubting(false)}>
              Keep
            </Button>
          </>
        ) : (
          <>
            <Button look="quiet" onClick={() => setDoubting(true)}>
              Discard
            </Button>
            <Button look="primary" title="Send all comments as one message" onClick={() => void sendAll()}>
              Send
            </Button>
          </>
        )}
      </div>
      {open ? <CommentsList id={list} session={sessionId} comments={comments} /> : null}
    </section>
  );
}
