import { Columns2, Rows2 } from "lucide-react";
import type { Layout } from "../../diff/layout";
import styles from "./LayoutChoice.module.css";

interface Props {
  layout: Layout;
  onChoose(layout: Layout): void;
}

const CHOICES = [
  ["unified", "Unified", Rows2],
  ["split", "Side by side", Columns2],
] as const;

/** Lines under each other, or before and after beside each other. */
export function LayoutChoice({ layout, onChoose }: Props) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">How diffs are shown</legend>
      {CHOICES.map(([value, words, Icon]) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            name="diff-layout"
            className="visually-hidden"
            checked={layout === value}
            onChange={() => onChoose(value)}
          />
          <Icon size={14} aria-hidden />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
