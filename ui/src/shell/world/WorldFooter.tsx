import { useStore } from "../../model/store";
import { Meter } from "../../parts/Meter";
import { useNow } from "../useNow";
import { limitsOf, resetWords } from "./limits";
import { loginWords } from "./login";
import { defaultBackend, world } from "./world";
import styles from "./WorldFooter.module.css";

/** Who answers for Codex, whose account it is, and how much of its limits is used. */
export function WorldFooter() {
  const { backends, account } = useStore(world);
  const now = useNow();
  const backend = defaultBackend(backends);
  if (!backend) return null;
  const name = backend.kind === "rehearsal" ? "Rehearsal" : "Codex";
  const login = loginWords(backend, account);
  return (
    <section className={styles.world} aria-label="Codex">
      <p className={styles.line} title={backend.path ?? undefined}>
        <span className={styles.name}>
          {name} {backend.found ? backend.version : "is missing"}
        </span>
        <span className={styles[login.tone]}>{login.words}</span>
      </p>
      {limitsOf(account?.rate_limits).map(({ label, percent, resetsAt }) => (
        <div key={label} className={styles.limit}>
          <span>{label}</span>
          <Meter label={`${label} limit`} percent={percent} words={`${Math.round(percent)} % used`} />
          <span className={styles.reset}>
            {Math.round(percent)} %{resetsAt && ` · ${resetWords(resetsAt, now)}`}
          </span>
        </div>
      ))}
    </section>
  );
}
