import { ChevronDown } from "lucide-react";
import styles from "./QuietSelect.module.css";

interface Props {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

/** A choice that reads as text until somebody wants to change it. */
export function QuietSelect({ label, value, options, onChange }: Props) {
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <span className={styles.box}>
      <span aria-hidden className={styles.text}>
        {shown} <ChevronDown size={12} />
      </span>
      <select className={styles.select} aria-label={label} title={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
