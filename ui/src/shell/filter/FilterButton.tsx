import { ListFilter } from "lucide-react";
import { useRef } from "react";
import { useStore } from "../../model/store";
import { IconButton } from "../../parts/Button";
import { Popover } from "../../parts/Popover";
import { useOpen } from "../../parts/useOpen";
import { howMany } from "./filter";
import styles from "./FilterButton.module.css";
import { FilterPanel } from "./FilterPanel";
import { filter } from "./store";

export const FILTER_ID = "session-filter";

/** Opens what can be chosen. */
export function FilterButton() {
  const anchor = useRef<HTMLButtonElement>(null);
  const { open, setOpen, button } = useOpen();
  const some = useStore(filter, ({ chosen }) => howMany(chosen));
  return (
    <>
      <IconButton
        ref={anchor}
        id={FILTER_ID}
        label={some > 0 ? `Filter sessions (${some} in use)` : "Filter sessions"}
        className={styles.button}
        data-used={some > 0 || undefined}
        aria-haspopup="dialog"
        {...button}
      >
        <ListFilter size={15} aria-hidden />
      </IconButton>
      {open && (
        <Popover label="Filter sessions" role="dialog" anchor={anchor} first="input" onClose={() => setOpen(false)}>
          <FilterPanel />
        </Popover>
      )}
    </>
  );
}
