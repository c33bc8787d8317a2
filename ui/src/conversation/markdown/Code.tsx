import { Copy } from "../blocks/Copy";
import { Colored } from "../../code/Colored";
import styles from "./Code.module.css";
import { useHighlighted } from "../../code/useHighlighted";

interface Props {
  code: string;
  language: string | undefined;
}

/** A piece of code with its language and a button that copies it. */
export function Code({ code, language }: Props) {
  const tree = useHighlighted(code, language);
  return (
    <figure className={styles.code}>
      <figcaption className={styles.head}>
        <span>{language ?? "text"}</span>
        <Copy text={code} label="Copy code" />
      </figcaption>
      <pre className={styles.text} tabIndex={0} aria-label={`Code, ${language ?? "text"}`}>
        <code>{tree ? <Colored tree={tree} /> : code}</code>
      </pre>
    </figure>
  );
}
