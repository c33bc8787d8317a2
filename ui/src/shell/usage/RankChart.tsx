import { Link } from "../../parts/Link";
import type { Bar } from "./bars";
import styles from "./RankChart.module.css";

interface Props {
  title: string;
  bars: readonly Bar[];
  words(value: number): string;
  /** A figure beside the one that is drawn. */
  beside?: ((bar: Bar) => string) | undefined;
  /** Whether a bar is a session, which can be opened. */
  linked?: ((key: string) => boolean) | undefined;
}

/** The largest first: a table whose figures are drawn too. */
export function RankChart({ title, bars, words, beside, linked }: Props) {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <table className={styles.table} aria-label={title}>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key} className={styles.row}>
            <th scope="row" className={styles.label} title={bar.label}>
              {linked?.(bar.key) ? (
                <Link to={{ page: "session", id: bar.key, view: "usage" }} className={styles.link}>
                  {bar.label}
                </Link>
              ) : (
                bar.label
              )}
            </th>
            <td className={styles.drawn} aria-hidden>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" className={styles.svg}>
                <rect x={0} y={0} width={100} height={8} className={styles.ground} />
                <rect x={0} y={0} width={most > 0 ? (bar.value / most) * 100 : 0} height={8} className={styles.bar} />
              </svg>
            </td>
            {beside && <td className={styles.beside}>{beside(bar)}</td>}
            <td className={styles.value}>{words(bar.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
