// A comment that is sought: the list goes to the row in which it stands, which then exists and shows it.
import { useEffect, useRef } from "react";
import { useSoughtPlace } from "../steer/comments/sought";
import { rowOfEntry, type Row } from "./rows";

export function useSoughtComment(rows: readonly Row[], show: (index: number) => void): void {
  const place = useSoughtPlace();
  const latest = useRef({ rows, show });
  latest.current = { rows, show };
  useEffect(() => {
    const { rows, show } = latest.current;
    const index = place === undefined ? -1 : rowOfEntry(rows, place);
    if (index >= 0) show(index);
  }, [place]);
}
