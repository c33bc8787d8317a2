import { count, duration } from "../../lib/format";
import type { Turn } from "../../model/conversation";
import { QuietLine } from "./QuietLine";

/** Where a turn ended: how long it took and what it used. */
export function TurnEnd({ turn }: { turn: Turn }) {
  const words = [
    turn.durationMs === undefined ? undefined : duration(turn.durationMs),
    turn.usage ? `${count(turn.usage.total)} tokens` : undefined,
  ].filter(Boolean);
  return <QuietLine ruled>{words.join(" · ") || "Done"}</QuietLine>;
}
