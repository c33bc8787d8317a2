import styles from "./Body.module.css";
import { permissionsOf } from "./permissions";
import type { Fields } from "../../lib/fields";

interface Props {
  profile: Fields;
  title?: string;
}

/** A profile of permissions, one to a line. */
export function Permissions({ profile, title }: Props) {
  const all = permissionsOf(profile);
  if (all.length === 0) return null;
  return (
    <>
      {title ? <p className={styles.note}>{title}:</p> : null}
      <ul className={styles.permissions}>
        {all.map(({ what, where }) => (
          <li key={`${what} ${where}`}>
            {what} {where ? <code>{where}</code> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
