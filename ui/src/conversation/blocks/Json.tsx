import { Copy } from "./Copy";
import styles from "./Json.module.css";

interface Props {
  label: string;
  value: unknown;
}

/** Any value as it is, for who wants to see all of it. */
export function Json({ label, value }: Props) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <figure className={styles.json}>
      <figcaption className={styles.head}>
        {label}
        <Copy text={text ?? ""} label={`Copy ${label.toLowerCase()}`} />
      </figcaption>
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
