import type { ReactNode } from "react";
import { EntriesContext, PlaceContext } from "../context";
import type { Elsewhere } from "../rows";

interface Props {
  elsewhere: Elsewhere | undefined;
  children: ReactNode;
}

/** What was taken over from another session is shown as it is there: its pictures and its forks are that session's. */
export function InPast({ elsewhere, children }: Props) {
  if (!elsewhere) return children;
  return (
    <PlaceContext value={elsewhere.place}>
      <EntriesContext value={elsewhere.entries}>{children}</EntriesContext>
    </PlaceContext>
  );
}
