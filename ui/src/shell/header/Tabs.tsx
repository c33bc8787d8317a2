import { Link } from "../../parts/Link";
import styles from "./Tabs.module.css";

type View = "talk" | "changes" | "usage";

interface Props {
  id: string;
  view: View;
  at: number | undefined;
  changed: number;
}

const LABELS: Record<View, string> = { talk: "Talk", changes: "Changes", usage: "Usage" };

/** Three ways to look at a session; each has an address, so they are links. */
export function Tabs({ id, view, at, changed }: Props) {
  return (
    <nav aria-label="Views of this session" className={styles.tabs}>
      {(["talk", "changes", "usage"] as const).map((which) => (
        <Link
          key={which}
          to={{ page: "session", id, view: which, ...(at === undefined ? {} : { at }) }}
          className={styles.tab}
          aria-current={view === which ? "page" : undefined}
        >
          {LABELS[which]}
          {which === "changes" && changed > 0 && <span className={styles.count}>{changed}</span>}
        </Link>
      ))}
    </nav>
  );
}
