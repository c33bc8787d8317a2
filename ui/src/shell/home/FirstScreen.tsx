import { Plus } from "lucide-react";
import { Kbd } from "../../parts/Kbd";
import { Link } from "../../parts/Link";
import styles from "./FirstScreen.module.css";

/** What this is, in three lines. */
export function FirstScreen() {
  return (
    <div className={styles.page}>
      <div className={styles.box}>
        <img src="/icon.svg" alt="" width={48} height={48} />
        <h2 className={styles.title}>All your agents, in one place</h2>
        <ol className={styles.lines}>
          <li>A session is Codex at work in one directory. Start as many as you like; they go on while you are away.</li>
          <li>When one needs you, it waits, and the inbox says so. Nothing runs that you have not allowed.</li>
          <li>What was said and done is kept on this machine, through restarts and crashes.</li>
        </ol>
        <Link to={{ page: "new" }} className={styles.create}>
          <Plus size={18} aria-hidden /> New session
        </Link>
        <p className={styles.keys}>
          or press <Kbd keys={["N"]} />; <Kbd keys={["?"]} /> shows all keys
        </p>
      </div>
    </div>
  );
}
