// Which answers were given in this browser: an event says who answered by their token, which many windows and programs may share.
import { Cell, useStore } from "../../model/store";
import { forGood, keep, recall, whenChangedElsewhere } from "../composer/kept";

const KEY = "answered";
/** So many are remembered, the newest. */
const MOST = 500;

const recalled = (): readonly string[] => recall<string[]>(forGood, KEY) ?? [];

const own = new Cell<readonly string[]>(recalled());
// Another tab is the same person.
whenChangedElsewhere(KEY, () => own.set(recalled()));

export const useIsMine = (approval: string): boolean => useStore(own, (all) => all.includes(approval));

/** Said before the answer is sent: the event may be here before the reply to it. */
export function rememberOwn(approval: string): void {
  put([...without(approval), approval].slice(-MOST));
}

/** It was not taken. */
export const forgetOwn = (approval: string): void => put(without(approval));

// What other tabs have remembered since is kept; a browser that keeps nothing remembers until a reload.
const without = (approval: string): string[] => [...new Set([...recalled(), ...own.get()])].filter((one) => one !== approval);

function put(all: readonly string[]): void {
  keep(forGood, KEY, all);
  own.set(all);
}
