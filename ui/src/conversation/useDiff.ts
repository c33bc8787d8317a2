// What the session changed, read when it is looked at and again whenever the session says that it changed more.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Refused } from "../api/client";
import type { FileDiff } from "../api/types";
import { diffOf } from "../model/files";
import { type DiffedFile, parseDiff } from "../diff/parse";

export interface Changes {
  /** Nothing until it was read once. */
  files: DiffedFile[] | undefined;
  problem: { message: string; hint: string } | undefined;
  again(): void;
}

/** A turn says often that it changed something; so long is waited for more. */
const PATIENCE = 250;

export function useDiff(sessionId: string, changed: readonly FileDiff[]): Changes {
  const [diff, setDiff] = useState<string>();
  const [problem, setProblem] = useState<Changes["problem"]>();
  const [asked, ask] = useState(0);
  const first = useRef(true);
  useEffect(() => {
    const stop = new AbortController();
    const read = () =>
      diffOf(sessionId, stop.signal).then(
        (text) => (setDiff(text), setProblem(undefined)),
        (error: unknown) => stop.signal.aborted || setProblem(problemOf(error)),
      );
    const timer = setTimeout(() => void read(), first.current ? 0 : PATIENCE);
    first.current = false;
    return () => (clearTimeout(timer), stop.abort());
  }, [sessionId, changed, asked]);
  const files = useMemo(() => (diff === undefined ? undefined : parseDiff(diff)), [diff]);
  return { files, problem, again: useCallback(() => ask((count) => count + 1), []) };
}

function problemOf(error: unknown): Changes["problem"] {
  if (error instanceof Refused) return { message: error.message, hint: error.hint ?? "Try again." };
  return { message: "The gateway does not answer.", hint: "It may be restarting. Try again in a moment." };
}
