import { ChevronDown } from "lucide-react";
import { Field } from "../../parts/Field";
import input from "../../parts/input.module.css";
import styles from "./SelectField.module.css";

interface Props<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; help?: string }[];
  error: string | undefined;
  onChange(value: Value): void;
}

/** A choice; below it stands what the chosen one means. */
export function SelectField<Value extends string>({ label, value, options, error, onChange }: Props<Value>) {
  return (
    <Field label={label} help={options.find((option) => option.value === value)?.help} error={error}>
      {(ids) => (
        <span className={styles.box}>
          <select
            {...ids}
            className={`${input["input"]} ${styles.select}`}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen) onChange(chosen.value);
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={14} className={styles.arrow} aria-hidden />
        </span>
      )}
    </Field>
  );
}
