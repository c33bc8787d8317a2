import { GitBranch } from "lucide-react";
import { memo, type KeyboardEvent, useRef, useState } from "react";
import { ago, dollars } from "../../lib/format";
import { Count } from "../../parts/Count";
import { Link } from "../../parts/Link";
import { StateDot } from "../../parts/StateDot";
import { branchOf, type KnownSession } from "../known";
import { LabelChips } from "../labels/LabelChips";
import { wordsOfLabels } from "../labels/labels";
import { NameField } from "../NameField";
import { SessionMenu } from "../SessionMenu";
import styles from "./SessionRow.module.css";

interface Props {
  session: KnownSession;
  title: string;
  waiting: number;
  current: boolean;
  /** The minute it is, so that ages are right. */
  now: number;
}

/** One session. Its name is changed where it stands: by a double click, F2, or from its menu. */
export const SessionRow = memo(function SessionRow({ session, title, waiting, current, now }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState(false);
  const branch = branchOf(session);
  const some = branch || session.cost_usd || session.queued > 0 || wordsOfLabels(session.labels).length > 0;
  const key = (event: KeyboardEvent) => {
    if (event.key !== "F2") return;
    event.preventDefault();
    setRenaming(true);
  };
  const done = (byKey: boolean) => {
    setRenaming(false);
    if (byKey) requestAnimationFrame(() => row.current?.querySelector<HTMLElement>("[data-row]")?.focus());
  };
  if (renaming) {
    return (
      <div ref={row} className={styles.row} data-current={current || undefined}>
        <NameField id={session.id} title={title} className={styles.field} onDone={done} />
      </div>
    );
  }
  return (
    <div ref={row} className={styles.row} data-current={current || undefined}>
      <Link
        to={{ page: "session", id: session.id, view: "talk" }}
        className={styles.link}
        aria-current={current ? "page" : undefined}
        data-row
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={key}
      >
        <StateDot state={session.state} asks={waiting} />
        <span className={styles.title} title={title}>
          {title}
        </span>
        <span className={styles.end}>
          <Count number={waiting} label={waiting === 1 ? "waits for you" : "wait for you"} />
          <time className={styles.age} dateTime={session.updated_at}>
            {ago(session.updated_at, now)}
          </time>
        </span>
        {some && (
          <span className={styles.facts}>
            {branch && (
              <span className={styles.branch} title={branch}>
                <GitBranch size={11} aria-hidden /> <span className="visually-hidden">Branch</span> {branch}
              </span>
            )}
            <LabelChips labels={session.labels} />
            {session.cost_usd ? <span>{dollars(session.cost_usd)}</span> : null}
            {session.queued > 0 && <span>{session.queued} queued</span>}
          </span>
        )}
      </Link>
      <SessionMenu session={session} title={title} onRename={() => setRenaming(true)} className={styles.menu} />
    </div>
  );
});
