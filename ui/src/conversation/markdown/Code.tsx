import { WrapText } from "lucide-react";
import { Cell, useStore } from "../../model/store";
import { IconButton } from "../../parts/Button";
import { Copy } from "../blocks/Copy";
import { Colored } from "../../code/Colored";
import styles from "./Code.module.css";
import { useHighlighted } from "../../code/useHighlighted";

/** One choice for all code: who wants to read it whole wants that everywhere. */
const wrapped = new Cell(false);

interface Props {
  code: string;
  language: string | undefined;
}

/** A piece of code with its language and a button that copies it. */
export function Code({ code, language }: Props) {
  const wrap = useStore(wrapped);
  const tree = useHighlighted(code, language);
  return (
    <figure className={styles.code}>
      <figcaption className={styles.head}>
        <span>{language ?? "text"}</span>
        <span className={styles.buttons}>
          <IconButton label="Wrap long lines" aria-pressed={wrap} onClick={() => wrapped.set(!wrap)}>
            <WrapText size={14} aria-hidden />
          </IconButton>
          <Copy text={code} label="Copy code" />
        </span>
      </figcaption>
      <pre className={wrap ? `${styles.text} ${styles.wrap}` : styles.text} tabIndex={0} aria-label={`Code, ${language ?? "text"}`}>
        <code>{tree ? <Colored tree={tree} /> : code}</code>
      </pre>
    </figure>
  );
}
