import type { Lifecycle } from "../api/types";
import styles from "./StateDot.module.css";

export type Glance = "working" | "waits" | "idle" | "failed" | "stopped";

/** Seven states of a session are five for the eye. What it asks a person counts more than what it says that it does. */
export function glance(state: Lifecycle, asks = 0): Glance {
  if (asks > 0) return "waits";
  switch (state) {
    case "starting":
    case "running":
    case "recovering":
      return "working";
    case "waiting":
      return "waits";
    case "failed":
      return "failed";
    case "stopped":
      return "stopped";
    case "idle":
      return "idle";
  }
}

export const GLANCE_WORDS: Record<Glance, string> = {
  working: "Working",
  waits: "Waits for you",
  idle: "Idle",
  failed: "Failed",
  stopped: "Stopped",
};

/** A state by shape and colour, and in words for who sees neither. */
export function StateDot({ state, asks = 0 }: { state: Lifecycle; asks?: number }) {
  const seen = glance(state, asks);
  return (
    <>
      <span className={[styles.dot, seen !== "idle" && styles[seen]].filter(Boolean).join(" ")} aria-hidden title={GLANCE_WORDS[seen]} />
      <span className="visually-hidden">{GLANCE_WORDS[seen]}</span>
    </>
  );
}
