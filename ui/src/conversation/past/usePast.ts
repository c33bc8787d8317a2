// The past of a fork, read once: it does not change any more.
import { useEffect, useState } from "react";
import { attempt } from "../../lib/notices";
import { type ForkedFrom, type Past, pastOf } from "../../model/past";

const NONE: readonly Past[] = [];
const known = new Map<string, readonly Past[]>();
const KEPT = 12;

/** What it took over; nothing while it is read. */
export function usePast(sessionId: string, from: ForkedFrom | undefined): readonly Past[] | undefined {
  const [, read] = useState(0);
  const isFork = from !== undefined;
  useEffect(() => {
    if (!isFork || known.has(sessionId)) return;
    void attempt("What came before the fork could not be read", async () => keep(sessionId, await pastOf(sessionId))).then((done) => {
      // The rest can be read without it; after a reload it is tried again.
      if (!done) keep(sessionId, NONE);
      read((times) => times + 1);
    });
  }, [sessionId, isFork]);
  return isFork ? known.get(sessionId) : NONE;
}

function keep(sessionId: string, past: readonly Past[]): void {
  known.set(sessionId, past);
  const oldest = known.keys().next().value;
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
}
