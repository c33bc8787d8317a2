// Whether the agent works, and what becomes of a message that comes meanwhile.
import { useState } from "react";
import type { BusyPolicy } from "../../api/types";
import type { Conversation } from "../../model/conversation";
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

/** What the person chose for this session, else what the session does by itself. */
export function useWay(session: string, conversation: Conversation): [Way, (way: Way) => void, chosen: boolean] {
  const key = `way.${session}`;
  const [chosen, setChosen] = useState(() => recall<Way>(forGood, key));
  const ofSession = conversation.settings?.busy_policy ?? "queue";
  const way = chosen ?? (ofSession === "reject" ? "queue" : ofSession);
  const choose = (next: Way) => {
    keep(forGood, key, next);
    setChosen(next);
  };
  return [way, choose, chosen !== undefined || ofSession === "reject"];
}
