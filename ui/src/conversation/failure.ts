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

/** What helps is in some cases not to try the same again. */
const BY_CODE: Record<string, string> = {
  budget_exceeded: "Give it a larger budget, or ask for less at a time.",
  deadline_exceeded: "Give it more time, or ask for less at a time.",
  context_window_exceeded: "Make room with `/compact`, or fork the session earlier.",
  not_logged_in: "Log in with `codex login` where the gateway runs, then send it again.",
  unauthorized: "Log in with `codex login` where the gateway runs, then send it again.",
  rate_limit_exceeded: "Wait a little, then send it again.",
  usage_limit_exceeded: "Wait until the limit begins anew, or use another account.",
  model_cap: "Choose another model, or send it again later.",
};

export function explain(error: Failure | undefined, status: string): Explained {
  return { message: textOf(error?.message), hint: BY_CODE[error?.code ?? ""] ?? textOf(error?.hint) ?? textOf(fieldsOf(error?.details)["hint"]) ?? HINTS[status] };
}
