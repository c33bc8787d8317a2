import { Dialog } from "../../parts/Dialog";
import { Kbd } from "../../parts/Kbd";
import { STEER_SHORTCUTS } from "../shortcuts";
import { COMMANDS } from "./commands";
import styles from "./Help.module.css";

/** What `/help` shows. */
export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Commands and keys" onClose={onClose}>
      <h3 className={styles.title}>Commands</h3>
      <dl className={styles.list}>
        {COMMANDS.map(({ name, argument, does }) => (
          <div key={name} className={styles.row}>
            <dt>
              <code>
                /{name}
                {argument ? ` ${argument}` : ""}
              </code>
            </dt>
            <dd className={styles.does}>{does}</dd>
          </div>
        ))}
      </dl>
      {STEER_SHORTCUTS.map(({ title, shortcuts }) => (
        <section key={title} className={styles.group}>
          <h3 className={styles.title}>{title}</h3>
          <dl className={styles.list}>
            {shortcuts.map(({ keys, does }) => (
              <div key={does} className={styles.row}>
                <dt>
                  <Kbd keys={keys} />
                </dt>
                <dd className={styles.does}>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
