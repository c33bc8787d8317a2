// What a person chooses for a new session; the next one begins with the same choices.
import type { BusyPolicy, CreateSession } from "../../api/types";
import type { Labels } from "../labels/labels";
import { remembered } from "../remembered";
import { wordsOf } from "../title";

export interface Choices {
  cwd: string;
  worktree: string;
  message: string;
  name: string;
  labels: Labels;
  model: string;
  effort: string;
  mode: NonNullable<CreateSession["permission_mode"]>;
  sandbox: NonNullable<CreateSession["sandbox"]>;
  busy: BusyPolicy;
  instructions: string;
  /** Empty: what the gateway takes when nobody chooses. */
  backend: "" | NonNullable<CreateSession["backend"]>;
}

const FIRST: Choices = {
  cwd: "",
  worktree: "",
  message: "",
  name: "",
  labels: {},
  model: "",
  effort: "",
  mode: "default",
  sandbox: "workspace-write",
  busy: "queue",
  instructions: "",
  backend: "",
};

const store = remembered<Partial<Choices>>("new-session", {});

/** The last choices, without what belonged to one session alone. */
export const lastChoices = (): Choices => ({ ...FIRST, ...store.get(), worktree: "", message: "", name: "", labels: {} });

export function rememberChoices(choices: Choices): void {
  const { worktree: _, message: __, name: ___, labels: ____, ...kept } = choices;
  store.set(kept);
}

/** What is asked of the gateway: only what was chosen. */
export function requestOf(choices: Choices): CreateSession {
  const { worktree, model, effort, labels, instructions, backend } = choices;
  const name = choices.name.trim() || wordsOf(choices.message);
  return {
    cwd: plainPath(choices.cwd),
    permission_mode: choices.mode,
    sandbox: choices.sandbox,
    busy_policy: choices.busy,
    ...(name ? { name } : {}),
    ...(worktree.trim() ? { worktree: worktree.trim() } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(model ? { model } : {}),
    ...(effort ? { effort } : {}),
    ...(instructions.trim() ? { developer_instructions: instructions.trim() } : {}),
    ...(backend ? { backend } : {}),
  };
}

/** Completion leaves a slash at the end, to go on with. */
export const plainPath = (path: string): string => path.trim().replace(/(?<=.)\/+$/, "");
