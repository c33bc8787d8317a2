import type { ReactNode } from "react";
import { Field } from "../../parts/Field";
import input from "../../parts/input.module.css";

interface Props {
  label: string;
  value: string;
  help?: ReactNode;
  error?: string | undefined;
  placeholder?: string;
  /** More than one line. */
  lines?: number;
  autoFocus?: boolean;
  onChange(value: string): void;
}

export function TextField({ label, value, help, error, lines, onChange, ...rest }: Props) {
  return (
    <Field label={label} help={help} error={error}>
      {(ids) =>
        lines ? (
          <textarea {...ids} {...rest} rows={lines} className={input["input"]} value={value} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <input {...ids} {...rest} className={input["input"]} autoComplete="off" value={value} onChange={(event) => onChange(event.target.value)} />
        )
      }
    </Field>
  );
}
