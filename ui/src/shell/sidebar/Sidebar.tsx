import { PanelLeft, Plus, X } from "lucide-react";
import { IconButton } from "../../parts/Button";
import { Link } from "../../parts/Link";
import { sheet, toggleSidebar } from "../layout";
import { WorldFooter } from "../world/WorldFooter";
import { Places } from "./Places";
import { SearchBox } from "./SearchBox";
import { SessionList } from "./SessionList";
import styles from "./Sidebar.module.css";
import { ThemeSwitch } from "./ThemeSwitch";

/** All agents at a glance. */
export function Sidebar({ asSheet = false }: { asSheet?: boolean }) {
  return (
    <nav aria-label="Sessions" className={styles.sidebar}>
      <div className={styles.head}>
        <Link to={{ page: "home" }} className={styles.brand}>
          <img src="/icon.svg" alt="" width={22} height={22} /> Selvedge
        </Link>
        <IconButton label={asSheet ? "Close" : "Hide sidebar"} onClick={asSheet ? () => sheet.set(false) : toggleSidebar}>
          {asSheet ? <X size={16} aria-hidden /> : <PanelLeft size={16} aria-hidden />}
        </IconButton>
      </div>
      <Link to={{ page: "new" }} className={styles.create}>
        <Plus size={15} aria-hidden /> New session
      </Link>
      <Places />
      <SearchBox />
      <SessionList />
      <footer className={styles.foot}>
        <WorldFooter />
        <ThemeSwitch />
      </footer>
    </nav>
  );
}
