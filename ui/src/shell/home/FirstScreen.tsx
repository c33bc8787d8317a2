import { ArrowRight, Plus } from "lucide-react";
import { useStore } from "../../model/store";
import { Kbd } from "../../parts/Kbd";
import { Link } from "../../parts/Link";
import { defaultBackend, world } from "../world/world";
import styles from "./FirstScreen.module.css";
import { begin, ideasFor } from "./ideas";

/** What this is, in three lines, and what to begin with. */
export function FirstScreen() {
  const rehearsal = useStore(world, ({ backends }) => defaultBackend(backends)?.kind === "rehearsal");
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
        <p className={styles.start}>
          <Link to={{ page: "new" }} className={styles.create}>
            <Plus size={18} aria-hidden /> New session
          </Link>
          <span className={styles.keys}>
            or press <Kbd keys={["N"]} />; <Kbd keys={["?"]} /> shows all keys
          </span>
        </p>
        <section className={styles.ideas} aria-labelledby="ideas">
          <h3 id="ideas" className={styles.or}>
            Or begin with one of these
          </h3>
          <ul className={styles.list}>
            {ideasFor(rehearsal).map((idea) => (
              <li key={idea.kind}>
                <button type="button" className={styles.idea} onClick={() => begin(idea, rehearsal)}>
                  <span className={styles.kind}>{idea.kind}</span>
                  <span className={styles.words}>{idea.words}</span>
                  <ArrowRight size={14} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}
