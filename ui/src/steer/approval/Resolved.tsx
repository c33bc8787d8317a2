import { Check, X } from "lucide-react";
import { useLayoutEffect } from "react";
import type { ApprovalKind } from "../../api/types";
import { useMoment } from "../../lib/moment";
import { handOn } from "./focus";
import styles from "./Resolved.module.css";
import type { Fields } from "../../lib/fields";
import { decided, deciderOf, gist } from "./words";

interface Props {
  approval: string;
  kind: ApprovalKind;
  request: Fields;
  decision: string;
  by: string;
  mine: boolean;
  message?: string | undefined;
}

/** A question that is done with: how, and by whom. */
export function Resolved({ approval, kind, request, decision, by, mine, message }: Props) {
  useLayoutEffect(() => handOn(approval), [approval]);
  const past = useMoment() !== undefined;
  const What = kind === "command" ? "code" : "span";
  const yes = decision.startsWith("accept");
  return (
    <div className={styles.resolved} role={past ? undefined : "status"}>
      {yes ? <Check size={14} aria-hidden className={styles.yes} /> : <X size={14} aria-hidden className={styles.no} />}
      <p className={styles.words}>
        <strong>{decided(decision)}</strong> {deciderOf(by, mine)}: <What className={styles.what}>{gist(kind, request)}</What>
        {message ? <span className={styles.message}>“{message}”</span> : null}
      </p>
    </div>
  );
}
