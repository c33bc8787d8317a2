import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { useFold } from "../../lib/useFold";
import { LazyCopy } from "../blocks/LazyCopy";
import { plain, runsOf } from "./ansi";
import { bytes, openText } from "./openText";
import styles from "./Output.module.css";
import { GLANCE, READING, tailOf } from "./tail";

interface Props {
  id: string;
  output: string;
}

/** What a command printed, in its colours; of much of it the end, and of very much of it all in a window of its own. */
export const Output = memo(function Output({ id, output }: Props) {
  const [more, toggle] = useFold(`${id}:all`, false);
  const glance = useMemo(() => tailOf(output, GLANCE), [output]);
  const reading = useMemo(() => (more ? tailOf(output, READING) : undefined), [output, more]);
  const { text, of } = reading ?? glance;
  const runs = useMemo(() => runsOf(text), [text]);
  const screen = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    // Reading goes on from where the glance was: at the end.
    if (more && screen.current) screen.current.scrollTop = screen.current.scrollHeight;
  }, [more]);
  return (
    <div className={styles.output}>
      {glance.of === undefined ? null : (
        <div className={styles.bar}>
          <button type="button" className={styles.more} onClick={toggle} aria-expanded={more}>
            {more ? "Show only the end" : offer(glance.of, output.length)}
          </button>
          {output.length > READING.letters || glance.of > READING.lines ? (
            <button type="button" className={styles.more} onClick={() => openText(plain(output))}>
              Open in full ({bytes(output.length)})
            </button>
          ) : null}
        </div>
      )}
      {reading && of !== undefined ? (
        <p className={styles.left}>
          {of > READING.lines ? `The first ${(of - READING.lines).toLocaleString()} lines are left out here` : "The beginning is left out here"}
        </p>
      ) : null}
      <pre ref={screen} className={styles.text} tabIndex={0} aria-label="Output">
        {runs.map(({ text, classes, color, ground }, at) => (
          <span
            key={at}
            className={classes.map((name) => styles[name]).join(" ")}
            style={color || ground ? { color: color && readable(color, ground ? 15 : 34), backgroundColor: ground && faint(ground) } : undefined}
          >
            {text}
          </span>
        ))}
      </pre>
      <span className={styles.copy}>
        <LazyCopy label="Copy output" make={() => plain(output)} />
      </span>
    </div>
  );
});

function offer(lines: number, letters: number): string {
  if (lines === 1) return letters > READING.letters ? "Show more of it" : "Show all of it";
  return lines > READING.lines
    ? `Show the last ${READING.lines.toLocaleString()} of ${lines.toLocaleString()} lines`
    : `Show all ${lines.toLocaleString()} lines`;
}

/** A colour that was chosen for a black terminal, drawn towards the ink so that it can be read here. */
const readable = (color: string, percent: number): string => `color-mix(in oklab, ${color} ${percent}%, var(--ink))`;
/** And a ground that leaves every such colour readable. */
const faint = (color: string): string => `color-mix(in oklab, ${color} 18%, var(--sunken))`;
