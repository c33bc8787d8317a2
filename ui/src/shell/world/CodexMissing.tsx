import { Unplug } from "lucide-react";
import type { BackendFound } from "../../api/types";
import { Button } from "../../parts/Button";
import { Words } from "../../parts/Words";
import { demonstrate } from "./demonstrate";
import styles from "./Explained.module.css";
import { askWorld } from "./world";

/** No Codex: what that means, what to do, and the demonstration one click away. */
export function CodexMissing({ backend }: { backend: BackendFound }) {
  return (
    <div className={styles.page}>
      <div className={styles.box}>
        <Unplug size={28} className={styles.mark} aria-hidden />
        <h2 className={styles.title}>Codex is not there yet</h2>
        <p>Selvedge runs Codex for you, and it could not be started on this machine.</p>
        {backend.problem && (
          <p className={styles.said}>
            <Words text={capital(backend.problem)} />
          </p>
        )}
        <ol className={styles.steps}>
          <li>
            <Words text={capital(backend.hint ?? "install it with `npm install -g @openai/codex`")} />
          </li>
          <li>
            Log in once: <code>codex login</code>
          </li>
          <li>
            Start the gateway again; <code>selvedge doctor</code> says what else is missing.
          </li>
        </ol>
        <div className={styles.actions}>
          <Button look="primary" onClick={() => void demonstrate()}>
            Try the demonstration
          </Button>
          <Button onClick={() => void askWorld()}>Look again</Button>
        </div>
        <p>The demonstration needs no Codex and no account: a script answers, and nothing leaves this machine.</p>
      </div>
    </div>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
