import { type KeyboardEvent, memo, useMemo } from "react";
import { type EventMark, portion, thinned, turnAt } from "./marks";
import styles from "./Scrubber.module.css";
import type { Journey } from "./useTravel";
import { nameOf } from "./words";

/** The session from its first event to its last, with marks where one may want to go. */
export function Scrubber({ journey }: { journey: Journey }) {
  const { travel, seq, last, event, marks, playing } = journey;
  const at = Math.min(seq, Math.max(last, 1));
  const { turn, turns } = useMemo(() => turnAt(marks, at), [marks, at]);
  const place = turns > 0 ? `turn ${turn} of ${turns}` : "before the first turn";
  // While it plays only the turn is said: a listener does not want a voice for each event.
  const words = playing || !event ? place : `event ${at} of ${last}, ${nameOf(event)}, ${place}`;
  const pressed = (event: KeyboardEvent) => {
    const direction = { PageUp: 1, PageDown: -1 }[event.key] as 1 | -1 | undefined;
    if (!direction) return;
    event.preventDefault();
    travel.turn(direction);
  };
  return (
    <div className={styles.scrubber}>
      <Marks marks={marks} last={last} />
      <input
        type="range"
        className={styles.slider}
        aria-label="Place in the session"
        aria-valuetext={words}
        min={1}
        max={Math.max(last, 1)}
        step={1}
        value={at}
        disabled={last === 0}
        style={{ "--reached": portion(at, last) } as React.CSSProperties}
        onKeyDown={pressed}
        onChange={(event) => travel.goTo(Number(event.target.value))}
      />
    </div>
  );
}

const Marks = memo(function Marks({ marks, last }: { marks: readonly EventMark[]; last: number }) {
  const shown = useMemo(() => thinned(marks, last), [marks, last]);
  return (
    <div className={styles.marks} aria-hidden>
      {shown.map(({ seq, kind }) => (
        <span key={seq} className={styles.mark} data-kind={kind} style={{ left: `${portion(seq, last) * 100}%` }} />
      ))}
    </div>
  );
});
