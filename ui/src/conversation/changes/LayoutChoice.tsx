import { Columns2, Rows2 } from "lucide-react";
import type { Layout } from "../../diff/layout";
import { Segments } from "../../parts/Segments";
import styles from "./LayoutChoice.module.css";

interface Props {
  layout: Layout;
  onChoose(layout: Layout): void;
}

const CHOICES = [
  { value: "unified", label: "Unified", Icon: Rows2 },
  { value: "split", label: "Side by side", Icon: Columns2 },
] as const;

/** Lines under each other, or before and after beside each other. */
export function LayoutChoice({ layout, onChoose }: Props) {
  return (
    <div className={styles.choice}>
      <Segments label="How diffs are shown" value={layout} options={CHOICES} onChoose={onChoose} />
    </div>
  );
}
