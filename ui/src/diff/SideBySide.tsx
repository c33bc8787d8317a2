import styles from "./Lines.module.css";
import { type RowProps, toneOf } from "./row";
import { Text } from "./Text";

/** How it was at the left, how it is at the right. */
export function SideBySide({ row, ...rest }: RowProps) {
  const [before, after] = row.cells;
  return (
    <div role="row" className={styles.row}>
      <Half at={before} side="before" {...rest} />
      <Half at={after} side="after" {...rest} />
    </div>
  );
}

interface HalfProps extends Omit<RowProps, "row"> {
  at: number | undefined;
  side: "before" | "after";
}

function Half({ at, side, lines, tokensOf, pointing }: HalfProps) {
  const line = at === undefined ? undefined : lines[at];
  if (at === undefined || !line) return <span role="gridcell" className={styles.nothing} />;
  const tone = `${styles[line.type]} ${toneOf(pointing, at)}`;
  // A line that stayed stands at both sides, and is pointed at in the right one.
  const named = side === "after" || line.type === "delete";
  return (
    <>
      <span role="gridcell" data-gutter data-line={at} className={`${styles.number} ${styles.last} ${tone}`}>
        {line[side]}
      </span>
      <span role="gridcell" data-line={at} className={`${styles.line} ${tone}`} id={named ? pointing.idOf(at) : undefined}>
        <Text text={line.text} tokens={tokensOf(at)} />
      </span>
    </>
  );
}
