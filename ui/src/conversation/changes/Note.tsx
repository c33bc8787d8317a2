import type { ReactNode } from "react";
import styles from "./Note.module.css";

interface Props {
  icon?: ReactNode;
  title: string;
  words: string;
  action?: ReactNode;
}

/** In the middle of an empty view: why it is empty. */
export function Note({ icon, title, words, action }: Props) {
  return (
    <div className={styles.note} role="status">
      {icon ? <span aria-hidden>{icon}</span> : null}
      <h2 className={styles.title}>{title}</h2>
      {words ? <p>{words}</p> : null}
      {action}
    </div>
  );
}
