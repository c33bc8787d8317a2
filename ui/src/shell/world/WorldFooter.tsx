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
  const limits = limitsOf(account?.rate_limits);
  return (
    <section className={styles.world} aria-label="Codex">
      <p className={styles.line} title={backend.path ?? undefined}>
        <span className={styles.name}>
          {name} {backend.found ? backend.version : "is missing"}
        </span>
        <span className={styles[login.tone]}>{login.words}</span>
      </p>
      {limits.length > 0 && (
        <div className={styles.limits}>
          {limits.map(({ label, percent, resetsAt }) => {
            const resets = resetsAt === undefined ? undefined : resetsAt <= now ? "now" : resetWords(resetsAt, now);
            return (
              <p key={label} className={styles.limit} title={resetsAt === undefined ? undefined : `Begins anew ${new Date(resetsAt).toLocaleString()}`}>
                <span>{label}</span>
                <Meter label={`${label} limit`} percent={percent} words={`${Math.round(percent)} % used${resets ? `, begins anew ${resets}` : ""}`} />
                <span className={styles.percent} data-tight={percent >= 80 || undefined}>
                  {Math.round(percent)} %
                </span>
                <span className={styles.reset}>{resets && `resets ${resets}`}</span>
              </p>
            );
          })}
        </div>
      )}
    </section>
  );
}
