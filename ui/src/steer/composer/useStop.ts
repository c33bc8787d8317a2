// Stopping, in two steps: Codex is asked to; if nothing comes of it, its process can be killed.
import { useEffect, useState } from "react";
import { Refused } from "../../api/client";
import { attempt } from "../../lib/notices";
import { interrupt } from "../../model/actions";

export type Stopping = "no" | "asked" | "slow";
const PATIENCE = 5_000;

export function useStop(session: string, busy: boolean): { stopping: Stopping; stop(): void } {
  const [stopping, setStopping] = useState<Stopping>("no");
  useEffect(() => {
    if (!busy) setStopping("no");
  }, [busy]);
  useEffect(() => {
    if (stopping !== "asked") return undefined;
    const timer = setTimeout(() => setStopping("slow"), PATIENCE);
    return () => clearTimeout(timer);
  }, [stopping]);
  return {
    stopping,
    stop: () => {
      if (stopping === "no") setStopping("asked");
      void attempt("Not stopped", () => interrupt(session, stopping === "slow").catch(unlessOver));
    },
  };
}

/** The turn ended before the wish arrived: that is what was wished for. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Refused && error.code === "idle")) throw error;
}
