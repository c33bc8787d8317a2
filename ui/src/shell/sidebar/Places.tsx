import { ChartColumn, Inbox, LayoutGrid } from "lucide-react";
import { type Route, useRoute } from "../../lib/route";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { Count } from "../../parts/Count";
import { Link } from "../../parts/Link";
import styles from "./Places.module.css";

const PLACES: { to: Route; label: string; Icon: typeof Inbox }[] = [
  { to: { page: "home" }, label: "Overview", Icon: LayoutGrid },
  { to: { page: "inbox" }, label: "Inbox", Icon: Inbox },
  { to: { page: "usage" }, label: "Usage", Icon: ChartColumn },
];

/** The pages that are about all sessions. */
export function Places() {
  const { page } = useRoute();
  const waiting = useStore(fleet, (state) => state.approvals.length);
  return (
    <ul className={styles.places}>
      {PLACES.map(({ to, label, Icon }) => (
        <li key={label}>
          <Link to={to} className={styles.place} aria-current={page === to.page ? "page" : undefined}>
            <Icon size={15} aria-hidden /> <span className={styles.label}>{label}</span>
            {to.page === "inbox" && <Count number={waiting} label={waiting === 1 ? "waits for you" : "wait for you"} />}
          </Link>
        </li>
      ))}
    </ul>
  );
}
