import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import styles from "./Segments.module.css";

export interface Segment<Value extends string> {
  value: Value;
  label: string;
  /** What it means, for whoever rests on it. */
  title?: string;
  Icon?: LucideIcon;
}

interface Props<Value extends string> {
  label: string;
  value: Value;
  options: readonly Segment<Value>[];
  /** The words are for listeners only. */
  iconsOnly?: boolean;
  onChoose(value: Value): void;
}

/** One of a few, all in sight. */
export function Segments<Value extends string>({ label, value, options, iconsOnly = false, onChoose }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.segments} data-icons={iconsOnly || undefined}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(({ value: one, label: words, title, Icon }) => (
        <label key={one} className={styles.segment} title={title ?? (iconsOnly ? words : undefined)}>
          <input type="radio" name={name} className="visually-hidden" checked={value === one} onChange={() => onChoose(one)} />
          {Icon ? <Icon size={14} aria-hidden /> : null}
          <span className={iconsOnly ? "visually-hidden" : undefined}>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
