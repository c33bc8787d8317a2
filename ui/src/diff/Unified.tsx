import { Text } from "./Text";
import styles from "./Lines.module.css";
import type { RowProps } from "./row";
import { SIGNS, toneOf } from "./row";

/** One line; removed and added ones stand under each other. */
export function Unified({ row, lines, tokensOf, pointing }: RowProps) {
  const [at = 0] = row.cells;
  const line = lines[at];
  if (!line) return null;
  const { type, before, after, text } = line;
  return (
    <div role="row" data-line={at} className={`${styles.row} ${styles[type]} ${toneOf(pointing, at)}`} id={pointing.idOf(at)}>
      <span role="gridcell" data-gutter className={styles.number}>
        {before}
      </span>
      <span role="gridcell" data-gutter className={`${styles.number} ${styles.last}`}>
        {after}
      </span>
      <span role="gridcell" className={styles.line}>
        <span className={styles.sign}>{SIGNS[type]}</span>
        <Text text={text} tokens={tokensOf(at)} />
      </span>
    </div>
  );
}
