import { Search } from "lucide-react";
import { type KeyboardEvent } from "react";
import { useStore } from "../../model/store";
import input from "../../parts/input.module.css";
import { Kbd } from "../../parts/Kbd";
import { FilterButton } from "../filter/FilterButton";
import { filter, search } from "../filter/store";
import styles from "./SearchBox.module.css";

export const SEARCH_ID = "session-search";

/** Words to look for, and what else to filter by. */
export function SearchBox() {
  const query = useStore(filter, (state) => state.query);
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") {
      if (query) search("");
      else event.currentTarget.blur();
      return event.stopPropagation();
    }
    const first = event.currentTarget.closest("nav")?.querySelector<HTMLElement>("[data-row]");
    if (event.key === "ArrowDown") {
      event.preventDefault();
      first?.focus();
    } else if (event.key === "Enter") first?.click();
  };
  return (
    <div className={styles.row}>
      <div className={styles.search}>
        <Search size={14} className={styles.icon} aria-hidden />
        <input
          id={SEARCH_ID}
          type="search"
          className={`${input["input"]} ${styles.input}`}
          placeholder="Search"
          aria-label="Search sessions by name, path, branch or label"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => search(event.target.value)}
          onKeyDown={key}
        />
        {!query && (
          <span className={styles.hint} aria-hidden>
            <Kbd keys={["/"]} />
          </span>
        )}
      </div>
      <FilterButton />
    </div>
  );
}
