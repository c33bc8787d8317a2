// Whether the agent works, and what becomes of a message that comes meanwhile.
import type { BusyPolicy } from "../../api/types";
import type { Conversation } from "../../model/conversation";
import { Cell, useStore } from "../../model/store";
import { forGood, keep, recall } from "./kept";

export function isBusy({ runningTurn, lifecycle }: Conversation): boolean {
  return runningTurn !== undefined || lifecycle === "running" || lifecycle === "waiting" || lifecycle === "recovering";
}

export type Way = Exclude<BusyPolicy, "reject">;

export const WAYS: readonly { way: Way; label: string; means: string }[] = [
  { way: "queue", label: "Queue", means: "It waits until this turn has ended" },
  { way: "steer", label: "Steer", means: "It goes into the running turn" },
  { way: "interrupt", label: "Interrupt", means: "It stops this turn and runs next" },
];

/** What was chosen, for each session: wherever a message is sent, it is the same choice. */
const chosen = new Map<string, Cell<Way | undefined>>();

function chosenFor(session: string): Cell<Way | undefined> {
  const known = chosen.get(session);
  if (known) return known;
  const key = `way.${session}`;
  const made = new Cell(recall<Way>(forGood, key));
  made.subscribe(() => keep(forGood, key, made.get()));
  chosen.set(session, made);
  return made;
}

/** What the person chose for this session, else what the session does by itself. */
export function useWay(session: string, conversation: Conversation): [Way, (way: Way) => void, chosen: boolean] {
  const cell = chosenFor(session);
  const own = useStore(cell);
  const ofSession = conversation.settings?.busy_policy ?? "queue";
  const way = own ?? (ofSession === "reject" ? "queue" : ofSession);
  return [way, (next) => cell.set(next), own !== undefined || ofSession === "reject"];
}
