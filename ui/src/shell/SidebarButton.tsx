import { PanelLeft } from "lucide-react";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { IconButton } from "../parts/Button";
import { toggleSidebar, useFolded, useNarrow } from "./layout";
import styles from "./SidebarButton.module.css";

/** Brings the sidebar back where it is hidden, and says with a mark that something in it waits. */
export function SidebarButton() {
  const narrow = useNarrow();
  const folded = useFolded();
  const waiting = useStore(fleet, (state) => state.approvals.length > 0);
  if (!narrow && !folded) return null;
  return (
    <IconButton label={waiting ? "Show sessions; something waits for you" : "Show sessions"} className={styles.button} onClick={toggleSidebar}>
      <PanelLeft size={17} aria-hidden />
      {waiting && <span className={styles.mark} aria-hidden />}
    </IconButton>
  );
}
