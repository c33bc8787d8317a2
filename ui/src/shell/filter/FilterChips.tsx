import { useStore } from "../../model/store";
import { Chip } from "../../parts/Chip";
import { wordsOf } from "./choices";
import { isEmpty, KINDS } from "./filter";
import styles from "./FilterChips.module.css";
import { filter, showAll, toggle } from "./store";

/** What was chosen, each to be taken away, and how many sessions that leaves. */
export function FilterChips({ shown, all }: { shown: number; all: number }) {
  const { chosen, query } = useStore(filter);
  const used = !isEmpty(chosen);
  return (
    <div className={styles.filter} data-used={used || query !== "" || undefined}>
      {used && (
        <ul className={styles.chips} aria-label="Filter in use">
          {KINDS.flatMap((kind) =>
            (chosen[kind] ?? []).map((value) => {
              const words = wordsOf(kind, value);
              return (
                <li key={kind + value}>
                  <Chip words={words} remove={`Do not filter by ${words}`} onRemove={() => toggle(kind, value)} />
                </li>
              );
            }),
          )}
        </ul>
      )}
      <p className={styles.line} role="status">
        {(used || query !== "") && (shown === 0 ? "Nothing matches." : `${shown} of ${all} sessions`)}
        {(used || query !== "") && (
          <button type="button" className={styles.clear} onClick={showAll}>
            Show all
          </button>
        )}
      </p>
    </div>
  );
}
