import { Tag } from "lucide-react";
import { type Labels, wordsOfLabels } from "./labels";
import styles from "./LabelChips.module.css";

/** The labels of a session, quietly. */
export function LabelChips({ labels }: { labels: Labels | null | undefined }) {
  const words = wordsOfLabels(labels);
  if (words.length === 0) return null;
  return (
    <span className={styles.labels} title={words.join(", ")}>
      <Tag size={11} aria-hidden />
      <span className="visually-hidden">Labels</span>
      {words.map((word) => (
        <span key={word} className={styles.label}>
          {word}
        </span>
      ))}
    </span>
  );
}
