import { useStore } from "../model/store";
import { Dialog } from "../parts/Dialog";
import { Kbd } from "../parts/Kbd";
import { STEER_SHORTCUTS } from "../steer/shortcuts";
import { TRAVEL_SHORTCUTS } from "../travel/keys";
import styles from "./ShortcutSheet.module.css";
import { SHELL_SHORTCUTS, sheetShown, showSheet } from "./shortcuts";

const GROUPS = [...SHELL_SHORTCUTS, ...STEER_SHORTCUTS, ...TRAVEL_SHORTCUTS];

export function ShortcutSheet() {
  if (!useStore(sheetShown)) return null;
  return (
    <Dialog title="Shortcuts" onClose={() => showSheet(false)}>
      <div className={styles.tables}>
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.table}>
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className={styles.line}>
                  <dt>{does}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
