import { Check, X } from "lucide-react";
import type { ApprovalKind } from "../../api/types";
import styles from "./Resolved.module.css";
import type { Fields } from "./request";
import { decided, deciderOf, gist } from "./words";

interface Props {
  kind: ApprovalKind;
  request: Fields;
  decision: string;
  by: string;
  mine: boolean;
  message?: string | undefined;
}

/** A question that is done with: how, and by whom. */
export function Resolved({ kind, request, decision, by, mine, message }: Props) {
  const yes = decision.startsWith("accept");
  return (
    <div className={styles.resolved} role="status">
      {yes ? <Check size={14} aria-hidden className={styles.yes} /> : <X size={14} aria-hidden className={styles.no} />}
      <p className={styles.words}>
        <strong>{decided(decision)}</strong> {deciderOf(by, mine)}: <code className={styles.what}>{gist(kind, request)}</code>
        {message ? <span className={styles.message}>“{message}”</span> : null}
      </p>
    </div>
  );
}
