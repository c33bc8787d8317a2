import { type ReactNode, useId } from "react";
import styles from "./Field.module.css";

export interface FieldIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface Props {
  label: string;
  help?: string | undefined;
  required?: boolean | undefined;
  objection?: string | undefined;
  /** Several controls with one question: a group and no label. */
  group?: boolean;
  children(ids: FieldIds): ReactNode;
}

/** A question, its control, and what is wrong with the answer. */
export function Field({ label, help, required, objection, group, children }: Props) {
  const id = useId();
  const described = [help && `${id}-help`, objection && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const ids: FieldIds = { id, "aria-describedby": described, "aria-invalid": objection ? true : undefined };
  const words = (
    <>
      {label}
      {required === false ? <span className={styles.optional}> optional</span> : null}
    </>
  );
  const rest = (
    <>
      {help ? (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      ) : null}
      {children(ids)}
      {objection ? (
        <p id={`${id}-error`} className={styles.objection}>
          {objection}
        </p>
      ) : null}
    </>
  );
  if (group) {
    return (
      <fieldset className={styles.field} aria-describedby={described} data-invalid={objection ? true : undefined}>
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
