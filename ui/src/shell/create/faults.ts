// What is wrong with a choice, at the choice it is about.
import { Refused, Unreachable } from "../../api/client";
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
};

export function faultsOf(error: unknown, choices: Choices): Faults {
  if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  const words = error.hint ? `${error.message}. ${capital(error.hint)}.` : `${error.message}.`;
  return { [place(error, choices)]: capital(words) };
}

function place(error: Refused | Unreachable, choices: Choices): keyof Faults {
  if (error instanceof Unreachable) return "form";
  // git says why it made no worktree, and the gateway does not say of which field that is.
  if (choices.worktree && error.message.startsWith("git refused")) return "worktree";
  return FIELDS[error.field?.split(".")[0] ?? ""] ?? "form";
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
