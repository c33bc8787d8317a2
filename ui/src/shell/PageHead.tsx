import type { ReactNode } from "react";
import styles from "./PageHead.module.css";
import { SidebarButton } from "./SidebarButton";

/** The top of a page that is about all sessions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className={styles.head}>
      <SidebarButton />
      <h1 className={styles.title}>{title}</h1>
      {children}
    </header>
  );
}
