import { memo } from "react";
import { EntryView } from "./entries/EntryView";
import { TurnEnd } from "./entries/TurnEnd";
import type { EntryRow, Row } from "./rows";
import styles from "./RowView.module.css";

interface Props {
  row: Row;
  /** The address points at it. */
  linked: boolean;
}

/** One row of the list, in the column of the text. Rows are made anew with each event, so it is their content that counts. */
export const RowView = memo(
  function RowView({ row, linked }: Props) {
    return (
      <div
        className={linked ? `${styles.row} ${styles.linked}` : styles.row}
        data-row={row.key}
        tabIndex={row.entry?.kind === "message" ? -1 : undefined}
      >
        {row.entry ? <Linked row={row} /> : <TurnEnd turn={row.turn} />}
      </div>
    );
  },
  (before, after) =>
    before.linked === after.linked &&
    before.row.entry === after.row.entry &&
    before.row.turn === after.row.turn &&
    toldOf(before.row) === toldOf(after.row),
);

/** An entry with its time, which is a link to it. */
function Linked({ row: { entry, told } }: { row: EntryRow }) {
  return (
    <>
      <a className={styles.link} href={`#e${entry.seq}`} title={new Date(entry.at).toLocaleString()}>
        <time dateTime={entry.at}>{clock(entry.at)}</time>
      </a>
      <EntryView entry={entry} told={told} />
    </>
  );
}

const toldOf = (row: Row): boolean => row.entry !== undefined && row.told;

const clock = (at: string): string => new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
