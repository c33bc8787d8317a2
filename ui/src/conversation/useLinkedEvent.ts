// A link to an event, `#e12`: once its event is there, the list goes to it, and the row is marked.
import { useEffect, useRef, useState } from "react";
import type { Conversation } from "../model/conversation";
import { eventInHash, rowOfEvent, type Row } from "./rows";

export function useLinkedEvent(
  rows: readonly Row[],
  { seq, entries }: Pick<Conversation, "seq" | "entries">,
  show: (index: number) => void,
): string | undefined {
  const [wanted, setWanted] = useState(() => eventInHash(location.hash));
  const [key, setKey] = useState<string>();
  const shown = useRef<number>(undefined);
  const latest = useRef(show);
  latest.current = show;

  useEffect(() => {
    const changed = () => {
      shown.current = undefined;
      setWanted(eventInHash(location.hash));
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);

  useEffect(() => {
    if (wanted === undefined || wanted > seq || shown.current === wanted) return;
    shown.current = wanted;
    const index = rowOfEvent(rows, wanted, entries);
    setKey(rows[index]?.key);
    if (index >= 0) latest.current(index);
  }, [wanted, seq, entries, rows]);

  return wanted === undefined ? undefined : key;
}
