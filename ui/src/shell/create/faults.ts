// What is wrong with a choice, at the choice it is about.
import { Refused, Unreachable } from "../../api/client";
import { capital } from "../../lib/format";
import type { Choices } from "./choices";

export type Faults = Partial<Record<keyof Choices | "form", string>>;

const FIELDS: Record<string, keyof Choices> = {
  cwd: "cwd",
  worktree: "worktree",
  name: "name",
  model: "model",
  effort: "effort",
  permission_mode: "mode",
  sandbox: "sandbox",
  busy_policy: "busy",
  developer_instructions: "instructions",
  backend: "backend",
  labels: "labels",
};

export function faultsOf(error: unknown): Faults {
  if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  const words = error.hint ? `${error.message}. ${capital(error.hint)}.` : `${error.message}.`;
  return { [place(error)]: capital(words) };
}

function place(error: Refused | Unreachable): keyof Faults {
  const field = error instanceof Refused ? error.field : undefined;
  return FIELDS[field?.split(".")[0] ?? ""] ?? "form";
}
