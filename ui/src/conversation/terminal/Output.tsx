import { memo, useMemo } from "react";
import { useFold } from "../../lib/useFold";
import { runsOf } from "./ansi";
import styles from "./Output.module.css";
import { tailOf } from "./tail";

interface Props {
  id: string;
  output: string;
}

/** What a command printed, in its colours; of much of it the end. */
export const Output = memo(function Output({ id, output }: Props) {
  const [all, toggle] = useFold(`${id}:all`, false);
  const tail = useMemo(() => tailOf(output), [output]);
  const shown = all ? output : tail.text;
  const runs = useMemo(() => runsOf(shown), [shown]);
  return (
    <div className={styles.output}>
      {tail.of === undefined ? null : (
        <button type="button" className={styles.more} onClick={toggle} aria-expanded={all}>
          {all ? "Show only the end" : `Show all ${tail.of === 1 ? "of it" : `${tail.of.toLocaleString()} lines`}`}
        </button>
      )}
      <pre className={styles.text} tabIndex={0} aria-label="Output">
        {runs.map((run, at) => (
          <span key={at} className={run.classes.map((name) => styles[name]).join(" ")} style={run.color ? { color: readable(run.color) } : undefined}>
            {run.text}
          </span>
        ))}
      </pre>
    </div>
  );
});

/** A colour that was chosen for a black terminal, drawn towards the ink so that it can be read on any ground. */
const readable = (color: string): string => `color-mix(in oklab, ${color} 40%, var(--ink))`;
