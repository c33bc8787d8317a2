import { History } from "lucide-react";
import { memo } from "react";
import { address } from "../lib/route";
import { Link } from "../parts/Link";
import { usePlace } from "./context";
import { EntryView } from "./entries/EntryView";
import { TurnEnd } from "./entries/TurnEnd";
import { InPast } from "./past/InPast";
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
        <InPast elsewhere={row.elsewhere}>{row.entry ? <Linked row={row} /> : <TurnEnd turn={row.turn} />}</InPast>
      </div>
    );
  },
  (before, after) =>
    before.linked === after.linked &&
    before.row.entry === after.row.entry &&
    before.row.turn === after.row.turn &&
    toldOf(before.row) === toldOf(after.row),
);

/** An entry with its time, which is a link to it, and a link to the moment when it came. */
function Linked({ row: { entry, told, elsewhere } }: { row: EntryRow }) {
  const here = usePlace();
  const { sessionId } = elsewhere?.place ?? here;
  const session = elsewhere ? address({ page: "session", id: sessionId, view: "talk" }) : "";
  const then = `Link to this: the session as of event ${entry.seq}`;
  return (
    <>
      <span className={styles.links}>
        <a className={styles.link} href={`${session}#e${entry.seq}`} title={new Date(entry.at).toLocaleString()}>
          <time dateTime={entry.at}>{clock(entry.at)}</time>
        </a>
        <Link className={styles.link} to={{ page: "session", id: sessionId, view: "talk", at: entry.seq }} aria-label={then} title={then}>
          <History size={13} aria-hidden />
        </Link>
      </span>
      <EntryView entry={entry} told={told} />
    </>
  );
}

const toldOf = (row: Row): boolean => row.entry !== undefined && row.told;

const clock = (at: string): string => new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
