import { type ReactNode, useId } from "react";
import styles from "./Field.module.css";
import { Words } from "./Words";

export interface FieldIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface Props {
  label: string;
  /** What it means, in a line below. */
  help?: ReactNode;
  error?: string | undefined;
  children(ids: FieldIds): ReactNode;
}

/** A label, what is filled in, and below it what it means or what is wrong with it. */
export function Field({ label, help, error, children }: Props) {
  const id = useId();
  const said = error ?? help;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({ id, "aria-describedby": said ? `${id}-said` : undefined, "aria-invalid": error ? true : undefined })}
      {said && (
        <p id={`${id}-said`} className={error ? styles.error : styles.help} role={error ? "alert" : undefined}>
          {typeof said === "string" ? <Words text={said} /> : said}
        </p>
      )}
    </div>
  );
}
