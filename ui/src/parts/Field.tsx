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
  optional?: boolean;
  /** Several controls with one label. */
  group?: boolean;
  children(ids: FieldIds): ReactNode;
}

/** A label, what is filled in, and below it what it means or what is wrong with it. */
export function Field({ label, help, error, optional = false, group = false, children }: Props) {
  const id = useId();
  const said = error ?? help;
  const ids: FieldIds = { id, "aria-describedby": said ? `${id}-said` : undefined, "aria-invalid": error ? true : undefined };
  const words = (
    <>
      {label}
      {optional ? <span className={styles.optional}> optional</span> : null}
    </>
  );
  const rest = (
    <>
      {children(ids)}
      {said && (
        <p id={`${id}-said`} className={error ? styles.error : styles.help} role={error ? "alert" : undefined}>
          {typeof said === "string" ? <Words text={said} /> : said}
        </p>
      )}
    </>
  );
  if (group) {
    return (
      <fieldset className={styles.field} aria-describedby={ids["aria-describedby"]} data-invalid={ids["aria-invalid"]}>
        <legend className={styles.label}>{words}</legend>
        {rest}
      </fieldset>
    );
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {words}
      </label>
      {rest}
    </div>
  );
}
