import { Button } from "../../parts/Button";
import { Kbd } from "../../parts/Kbd";
import { countOf } from "../comments/message";
import styles from "./Actions.module.css";
import type { Rule } from "./rules";
import type { Offer } from "./words";

interface Props {
  offer: Offer;
  rules: readonly Rule[];
  busy: boolean;
  /** On the lines of a change: a no says them. */
  comments: number;
  onSession(): void;
  onRule(rule: Rule): void;
  onDecline(): void;
  onCancel(): void;
}

/** The answers with their keys, and what the lasting ones would mean. */
export function Actions({ offer, rules, busy, comments, onSession, onRule, onDecline, onCancel }: Props) {
  return (
    <>
      <div className={styles.row}>
        <Button type="submit" look="primary" disabled={busy} aria-keyshortcuts="a">
          {offer.accept} <Hint letter="A" />
        </Button>
        {offer.session ? (
          <Button disabled={busy} aria-keyshortcuts="s" onClick={onSession}>
            For session <Hint letter="S" />
          </Button>
        ) : null}
        {rules.map((rule, place) => (
          <Button key={rule.label} disabled={busy} onClick={() => onRule(rule)} {...(place === 0 ? { "aria-keyshortcuts": "r" } : {})}>
            {rule.label} {place === 0 ? <Hint letter="R" /> : null}
          </Button>
        ))}
        <span className={styles.space} />
        <Button disabled={busy} aria-keyshortcuts="d" onClick={onDecline}>
          {comments > 0 ? `Decline with ${countOf(comments)}…` : "Decline…"} <Hint letter="D" />
        </Button>
        {offer.cancel ? (
          <Button look="danger" disabled={busy} aria-keyshortcuts="c" title={offer.cancel.means} onClick={onCancel}>
            {offer.cancel.label} <Hint letter="C" />
          </Button>
        ) : null}
      </div>
      {offer.session || rules.length > 0 ? (
        <ul className={styles.meanings}>
          {offer.session ? (
            <li>
              <strong>For session:</strong> {offer.session}
            </li>
          ) : null}
          {rules.map((rule) => (
            <li key={rule.label}>
              <strong>{rule.label}:</strong> <WithCode text={rule.means} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Hint({ letter }: { letter: string }) {
  return (
    <span aria-hidden className={styles.hint}>
      <Kbd inside keys={[letter]} />
    </span>
  );
}

/** Words between backticks are code. */
function WithCode({ text }: { text: string }) {
  const open = text.indexOf("`");
  const close = text.lastIndexOf("`");
  if (open < 0 || close <= open) return text;
  return (
    <>
      {text.slice(0, open)}
      <code className={styles.code}>{text.slice(open + 1, close)}</code>
      {text.slice(close + 1)}
    </>
  );
}
