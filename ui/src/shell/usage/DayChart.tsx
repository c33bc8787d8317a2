import type { Bar } from "./bars";
import styles from "./DayChart.module.css";
import { DataTable } from "./DataTable";

interface Props {
  title: string;
  bars: readonly Bar[];
  words(value: number): string;
}

const HEIGHT = 120;
const STEP = 20;

/** One bar for each day; the figures stand in a table for who cannot see them. */
export function DayChart({ title, bars, words }: Props) {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  const width = bars.length * STEP;
  const labelled = (index: number) => index === 0 || index === bars.length - 1 || index === Math.floor(bars.length / 2);
  return (
    <figure className={styles.chart}>
      <p className={styles.most} aria-hidden>
        {words(most)}
      </p>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className={styles.bars} aria-hidden>
        <line x1={0} x2={width} y1={0.5} y2={0.5} className={styles.line} />
        <line x1={0} x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className={styles.line} />
        {bars.map(({ key, label, value }, index) => {
          const height = most > 0 ? (value / most) * HEIGHT : 0;
          return (
            <g key={key} className={styles.day}>
              <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className={styles.ground}>
                <title>{`${label}: ${words(value)}`}</title>
              </rect>
              <rect x={index * STEP + 2} y={HEIGHT - height} width={STEP - 4} height={height} className={styles.bar} />
            </g>
          );
        })}
      </svg>
      <p className={styles.axis} aria-hidden>
        {bars.filter((_, index) => labelled(index)).map(({ key, label }) => (
          <span key={key}>{label}</span>
        ))}
      </p>
      <DataTable title={title} first="Day" bars={bars.filter(({ value }) => value > 0)} words={words} />
    </figure>
  );
}
