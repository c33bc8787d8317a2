import { type KeyboardEvent, useState } from "react";
import type { Bar } from "./bars";
import styles from "./DayChart.module.css";
import { DataTable } from "./DataTable";

interface Props {
  title: string;
  bars: readonly Bar[];
  /** The largest value, said beside the chart. */
  words(value: number): string;
  /** What is said of one day. */
  about(bar: Bar): string;
}

/** One bar for each day. The day under the pointer, or chosen with the arrow keys, is said above; all of them stand in a table for
 * who cannot see them. */
export function DayChart({ title, bars, words, about }: Props) {
  const last = bars.length - 1;
  const most = Math.max(...bars.map(({ value }) => value), 0);
  const [chosen, choose] = useState<number>();
  const [pointed, point] = useState<number>();
  const looked = bars[pointed ?? chosen ?? -1];
  const at = chosen ?? last;
  const key = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(last, next)));
  };
  return (
    <figure className={styles.chart}>
      <p className={styles.said} aria-hidden>
        <span>{words(most)}</span>
        {looked && (
          <span className={styles.looked}>
            {looked.label}: <strong>{about(looked)}</strong>
          </span>
        )}
      </p>
      <div
        className={styles.bars}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: day`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={bars[at] && `${bars[at].label}: ${about(bars[at])}`}
        onKeyDown={key}
        onFocus={() => choose((known) => known ?? last)}
        onBlur={() => choose(undefined)}
        onPointerLeave={() => point(undefined)}
      >
        {bars.map(({ key, value }, index) => (
          <span key={key} className={styles.day} data-on={(pointed ?? chosen) === index || undefined} onPointerEnter={() => point(index)}>
            <span className={styles.bar} data-some={value > 0 || undefined} style={{ height: `${most > 0 ? (value / most) * 100 : 0}%` }} />
          </span>
        ))}
      </div>
      <p className={styles.axis} aria-hidden>
        {[0, Math.floor(last / 2), last].map((index) => (
          <span key={index}>{bars[index]?.label}</span>
        ))}
      </p>
      <DataTable title={title} first="Day" bars={bars.filter(({ value }) => value > 0)} words={about} />
    </figure>
  );
}
