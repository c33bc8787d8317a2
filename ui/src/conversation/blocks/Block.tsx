import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useId } from "react";
import { useFold } from "../../lib/useFold";
import styles from "./Block.module.css";

interface Props {
  /** Where its fold is remembered. */
  id: string;
  icon: ReactNode;
  title: ReactNode;
  /** Small words at the end of the head: how it went, how long it took. */
  meta?: ReactNode;
  /** Open unless the reader folds it. */
  open?: boolean;
  /** Something in it is sought: it opens, though the reader folded it. */
  sought?: boolean;
  /** Without a frame: what is of little weight until it is opened. */
  quiet?: boolean;
  tone?: "plain" | "red" | "amber";
  children?: ReactNode;
}

/** One thing the agent did: a head that says what, and under it, foldable, all of it. */
export function Block({ id, icon, title, meta, open: initially = false, sought = false, quiet = false, tone = "plain", children }: Props) {
  const [open, toggle] = useFold(id, initially);
  const body = useId();
  const opens = sought && !open;
  useEffect(() => {
    if (opens) toggle();
  }, [opens, toggle]);
  const classes = [styles.block, quiet ? styles.quiet : styles.framed, tone !== "plain" && styles[tone]];
  return (
    <section className={classes.filter(Boolean).join(" ")}>
      <button type="button" className={styles.head} aria-expanded={open} aria-controls={open ? body : undefined} onClick={toggle}>
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
        <span className={styles.title}>{title}</span>
        {meta ? <span className={styles.meta}>{meta}</span> : null}
        <ChevronRight className={styles.chevron} size={14} aria-hidden />
      </button>
      {open ? (
        <div id={body} className={styles.body}>
          {children}
        </div>
      ) : null}
    </section>
  );
}
