import { OctagonX, Square } from "lucide-react";
import { Button } from "../../parts/Button";
import styles from "./StopButton.module.css";
import type { Stopping } from "./useStop";

interface Props {
  stopping: Stopping;
  onStop(): void;
}

const WORDS: Record<Stopping, string> = { no: "Stop", asked: "Stopping…", slow: "Force stop" };
const TITLES: Record<Stopping, string> = {
  no: "Stop the running turn (Escape twice)",
  asked: "Codex was asked to stop; press to ask again",
  slow: "Codex does not stop by itself: kill its process",
};

/** It can be pressed at any time, and pressed again. */
export function StopButton({ stopping, onStop }: Props) {
  const Icon = stopping === "slow" ? OctagonX : Square;
  return (
    <Button look={stopping === "slow" ? "danger" : "plain"} className={styles.stop} title={TITLES[stopping]} onClick={onStop}>
      <Icon size={14} aria-hidden className={stopping === "no" ? styles.square : undefined} />
      <span aria-live="polite">{WORDS[stopping]}</span>
    </Button>
  );
}
