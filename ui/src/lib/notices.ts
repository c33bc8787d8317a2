// What went wrong with something a person did: said once, with what to do about it, and kept until it is closed.
import { Refused, Unreachable } from "../api/client";
import { Cell } from "../model/store";

export interface Notice {
  id: number;
  tone: "error" | "info";
  text: string;
  hint: string | undefined;
}

export const notices = new Cell<readonly Notice[]>([]);
let next = 0;

export function tell(text: string, tone: Notice["tone"] = "info", hint?: string): void {
  notices.update((known) => [...known.slice(-3), { id: ++next, tone, text, hint }]);
}

export const dismiss = (id: number): void => notices.update((known) => known.filter((notice) => notice.id !== id));

/** Does something, and tells if it was refused. Whether it was done. */
export async function attempt(what: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) tell(`${what}: ${error.message}`, "error", error.hint);
    else throw error;
    return false;
  }
}
