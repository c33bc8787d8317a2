import type { Refused } from "../api/client";
import { Link } from "../parts/Link";
import { PageHead } from "./PageHead";
import styles from "./world/Explained.module.css";

/** An address that leads to no session: removed, or never there. */
export function NoSession({ refused }: { refused: Refused | undefined }) {
  const gone = !refused || refused.status === 404;
  return (
    <>
      <PageHead title="Session" />
      <div className={styles.page}>
        <div className={styles.box}>
          <h2 className={styles.title}>{gone ? "This session is not there" : "This session cannot be shown"}</h2>
          <p>{gone ? "It was deleted, or the address is wrong." : refused.message}</p>
          {refused?.hint && !gone && <p>{refused.hint}</p>}
          <p>
            <Link to={{ page: "home" }}>Go to all sessions</Link>
          </p>
        </div>
      </div>
    </>
  );
}
