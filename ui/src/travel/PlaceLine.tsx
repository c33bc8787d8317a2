import styles from "./PlaceLine.module.css";
import type { Journey } from "./useTravel";
import { clockOf, nameOf } from "./words";

/** Which event this is: its number, its name and its time. */
export function PlaceLine({ journey: { seq, last, known, event, reading } }: { journey: Journey }) {
  if (!event) {
    const read = known > 0 ? ` ${last.toLocaleString()} of ${known.toLocaleString()}` : "";
    return <p className={styles.place}>{reading ? `Reading the session's events${read}` : `No event ${seq.toLocaleString()}`}</p>;
  }
  return (
    <p className={styles.place}>
      <span className={styles.number}>
        <strong>{seq.toLocaleString()}</strong> of {last.toLocaleString()}
      </span>
      <span className={styles.name} title={event.type}>
        {nameOf(event)}
      </span>
      <code className={styles.type}>{event.type}</code>
      <time className={styles.time} dateTime={event.at} title={new Date(event.at).toLocaleString()}>
        {clockOf(event.at)}
      </time>
    </p>
  );
}
