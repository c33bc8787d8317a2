import { memo } from "react";
import { EntryView } from "./entries/EntryView";
import { TurnEnd } from "./entries/TurnEnd";
import type { Row } from "./rows";
import styles from "./RowView.module.css";

interface Props {
  row: Row;
  /** The address points at it. */
  linked: boolean;
}

/** One row of the list, in the column of the text, with a link to itself. */
export const RowView = memo(
  function RowView({ row, linked }: Props) {
    const { entry, turn } = row;
    return (
      <div className={linked ? `${styles.row} ${styles.linked}` : styles.row}>
        {entry ? (
          <a className={styles.link} href={`#e${entry.seq}`} title={new Date(entry.at).toLocaleString()}>
            <time dateTime={entry.at}>{clock(entry.at)}</time>
          </a>
        ) : null}
        {entry ? <EntryView entry={entry} /> : <TurnEnd turn={turn} />}
      </div>
    );
  },
  (before, after) =>
    before.linked === after.linked && before.row.entry === after.row.entry && before.row.turn === after.row.turn,
);

const clock = (at: string): string => new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
