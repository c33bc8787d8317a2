import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import type { AnswerApproval, PendingApproval } from "../../api/types";
import { ago } from "../../lib/format";
import { useMoment } from "../../lib/moment";
import { ANSWER_KEYS } from "../shortcuts";
import type { Remarks } from "../comments/useRemarks";
import { Actions } from "./Actions";
import { Decline } from "./Decline";
import { isTyping, leaves } from "./focus";
import styles from "./Frame.module.css";
import { useInView } from "./inView";
import { fieldsOf } from "../../lib/fields";
import type { Rule } from "./rules";
import { useAnswer } from "./useAnswer";
import { offerOf, titleOf } from "./words";

export type Parts = Pick<AnswerApproval, "answers" | "content">;

interface Props {
  approval: PendingApproval;
  first?: boolean | undefined;
  rules?: readonly Rule[];
  children: ReactNode;
  /** What a form holds; nothing if it is not filled in right. */
  gather?(): Parts | undefined;
  /** Comments on what is asked about: a no says them. */
  remarks?: Remarks | undefined;
}

/** What every question has: its title, its answers, and their keys. */
export function Frame({ approval, first, rules = [], children, gather = () => ({}), remarks }: Props) {
  const card = useRef<HTMLElement>(null);
  const id = useId();
  const [declining, setDeclining] = useState(false);
  const { busy, error, over, answer } = useAnswer(approval.approval_id);
  const request = fieldsOf(approval.request);
  const moment = useMoment();
  const past = moment !== undefined;
  const offer = offerOf(approval.kind, request);
  useInView(card, approval.approval_id);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element) leaves(element, approval.approval_id);
    };
  }, [approval.approval_id]);

  const give = async (decision: AnswerApproval["decision"], more: Partial<AnswerApproval> = {}): Promise<boolean> => {
    if (past) return false;
    const parts = decision === "decline" || decision === "cancel" ? {} : gather();
    if (!parts) {
      showObjection(card.current);
      return false;
    }
    // The button that was pressed is about to go: the card keeps the keyboard.
    if (card.current?.contains(document.activeElement)) card.current.focus({ preventScroll: true });
    return answer({ decision, ...parts, ...more });
  };
  const decline = async (words: string | undefined) => {
    const message = [words, remarks?.text].filter(Boolean).join("\n\n");
    if (await give("decline", message === "" ? {} : { message })) remarks?.sent();
  };
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    void give("accept");
  };
  const pressed = (event: KeyboardEvent) => {
    // A key that is held down answers once, not everything that follows.
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || over || past) return;
    const key = event.key.toLowerCase();
    const rule = rules[0];
    if (key === ANSWER_KEYS.accept) void give("accept");
    else if (key === ANSWER_KEYS.session && offer.session) void give("accept_for_session");
    else if (key === ANSWER_KEYS.always && rule) void give("accept", { amendment: rule.amendment });
    else if (key === ANSWER_KEYS.decline) setDeclining(true);
    else if (key === ANSWER_KEYS.cancel && offer.cancel) void give("cancel");
    else return;
    event.preventDefault();
  };
  return (
    <article
      ref={card}
      className={styles.card}
      tabIndex={0}
      data-waiting-card={past ? undefined : approval.approval_id}
      data-first={first || undefined}
      aria-labelledby={id}
      onKeyDown={pressed}
    >
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {titleOf(approval.kind, request)}
        </h2>
        <time dateTime={approval.at} className={styles.age} title={new Date(approval.at).toLocaleString()}>
          {ago(approval.at, moment)}
        </time>
      </header>
      <form noValidate onSubmit={submitted} className={styles.form}>
        <fieldset disabled={past} className={styles.fields}>
          {children}
          {declining || over ? null : (
            <Actions
              offer={offer}
              rules={rules}
              busy={busy}
              comments={remarks?.count ?? 0}
              onSession={() => void give("accept_for_session")}
              onRule={(rule) => void give("accept", { amendment: rule.amendment })}
              onDecline={() => setDeclining(true)}
              onCancel={() => void give("cancel")}
            />
          )}
        </fieldset>
        {past ? <p className={styles.past}>So it stood at this moment. Answers are given in the present.</p> : null}
      </form>
      {declining && !over ? (
        <Decline
          busy={busy}
          means={approval.kind === "user_input" ? "It gets no answer, and goes on." : "It is told no, and goes on."}
          approval={approval.approval_id}
          comments={remarks?.count ?? 0}
          onDecline={(message) => void decline(message)}
          onBack={() => (setDeclining(false), card.current?.focus())}
        />
      ) : null}
      <p role="alert" className={styles.error}>
        {error ? `Not answered: ${error}` : null}
      </p>
    </article>
  );
}

/** What has to be put right, once it is marked. */
function showObjection(card: HTMLElement | null): void {
  requestAnimationFrame(() => card?.querySelector<HTMLElement>("[aria-invalid='true'], [data-invalid] input")?.focus());
}
