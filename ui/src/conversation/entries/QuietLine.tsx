import type { ReactNode } from "react";
import styles from "./QuietLine.module.css";

interface Props {
  icon?: ReactNode;
  /** With a line at both sides: something ended or began here. */
  ruled?: boolean;
  children: ReactNode;
}

/** Something that is worth a line, and not more. */
export function QuietLine({ icon, ruled = false, children }: Props) {
  return (
    <p className={ruled ? `${styles.line} ${styles.ruled}` : styles.line}>
      {icon ? <span aria-hidden>{icon}</span> : null}
      <span className={styles.words}>{children}</span>
    </p>
  );
}
