import { GitFork } from "lucide-react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { Link } from "../../parts/Link";
import { QuietLine } from "../entries/QuietLine";
import styles from "./ForkLine.module.css";

interface Props {
  /** The session it was made from. */
  from: string;
  gone: boolean;
}

/** Where a fork began: above it stands what it took over. */
export function ForkLine({ from, gone }: Props) {
  const name = useStore(fleet, (state) => state.sessions.get(from)?.name);
  return (
    <QuietLine ruled icon={<GitFork size={13} />}>
      {gone ? (
        "Forked from a session that was deleted: what came before is known to the agent, and not shown"
      ) : (
        <>
          Forked from{" "}
          <Link to={{ page: "session", id: from, view: "talk" }} className={styles.link}>
            {name || "another session"}
          </Link>
        </>
      )}
    </QuietLine>
  );
}
