import { type KeyboardEvent, useMemo } from "react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { waitingBySession } from "../known";
import { choicesFor } from "./choices";
import styles from "./FilterPanel.module.css";
import { filter, toggle } from "./store";

/** Everything that tells sessions apart, to be ticked. */
export function FilterPanel() {
  const sessions = useStore(fleet, (state) => state.sessions);
  const approvals = useStore(fleet, (state) => state.approvals);
  const { chosen } = useStore(filter);
  const kinds = useMemo(() => choicesFor([...sessions.values()], waitingBySession(approvals), chosen), [sessions, approvals, chosen]);
  return (
    <div className={styles.panel} onKeyDown={move}>
      {kinds.length === 0 && <p className={styles.none}>All sessions are alike so far: there is nothing to tell them apart by.</p>}
      {kinds.map(({ kind, title, choices }) => (
        <fieldset key={kind} className={styles.kind}>
          <legend className={styles.title}>{title}</legend>
          {choices.map(({ value, words, count }) => (
            <label key={value} className={styles.choice} title={kind === "project" ? value : undefined}>
              <input type="checkbox" className={styles.box} checked={chosen[kind]?.includes(value) ?? false} onChange={() => toggle(kind, value)} />
              <span className={styles.words}>{words}</span>
              <span className={styles.count}>{count}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** Arrow keys go from one box to the next, as in a menu; Space ticks. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const boxes = [...event.currentTarget.querySelectorAll<HTMLElement>("input")];
  const at = boxes.findIndex((box) => box === document.activeElement);
  boxes[(at + step + boxes.length) % boxes.length]?.focus();
}
