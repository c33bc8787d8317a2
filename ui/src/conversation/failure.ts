// Why something ended badly, and what a person can do about it.
import type { Failure } from "../api/types";
import { fieldsOf, textOf } from "../lib/fields";

export interface Explained {
  message: string | undefined;
  hint: string | undefined;
}

const HINTS: Record<string, string> = {
  failed: "Send it again, or say what to do differently.",
  interrupted: "What was done until then stays done. Say how to go on.",
  lost: "Look at the changes before you send it again: some of it may have been done.",
};

export function explain(error: Failure | undefined, status: string): Explained {
  return { message: textOf(error?.message), hint: textOf(fieldsOf(error?.details)["hint"]) ?? HINTS[status] };
}
