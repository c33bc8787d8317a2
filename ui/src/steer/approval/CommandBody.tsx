import styles from "./Body.module.css";
import { Permissions } from "./Permissions";
import type { CommandRequest } from "./request";

/** The command in full, why, and where it would run. */
export function CommandBody({ request }: { request: CommandRequest }) {
  const { command, cwd, reason, host, permissions } = request;
  return (
    <>
      {reason ? <p className={styles.reason}>{reason}</p> : null}
      {command ? (
        <pre className={styles.command} tabIndex={0} aria-label="Command">
          {command}
        </pre>
      ) : null}
      <dl className={styles.facts}>
        {cwd ? (
          <>
            <dt>In</dt>
            <dd>
              <code>{cwd}</code>
            </dd>
          </>
        ) : null}
        {host ? (
          <>
            <dt>Reaches</dt>
            <dd>
              <code>{host.protocol ? `${host.name} (${host.protocol})` : host.name}</code>
            </dd>
          </>
        ) : null}
      </dl>
      <Permissions profile={permissions} title="With these permissions besides" />
    </>
  );
}
