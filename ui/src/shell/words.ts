// What can be chosen for a session, in plain words.
import type { BusyPolicy, Settings } from "../api/types";

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  help: string;
}

type Mode = NonNullable<Settings["permission_mode"]>;
type Policy = NonNullable<Settings["approval_policy"]>;
type Sandbox = NonNullable<Settings["sandbox"]>;

export const MODES: readonly Choice<Mode>[] = [
  { value: "default", label: "Ask first", help: "Asks you before commands that are not known to be harmless, and before it leaves the sandbox." },
  { value: "acceptEdits", label: "Accept edits", help: "Changes files without asking; asks before commands." },
  { value: "plan", label: "Plan first", help: "Looks and plans before it does anything." },
  { value: "bypassPermissions", label: "Never ask", help: "Does everything that the sandbox allows, without asking." },
];

export const POLICIES: Record<Policy, string> = {
  untrusted: "Ask first",
  "on-request": "Ask when it wants more",
  "on-failure": "Ask when something fails",
  never: "Never ask",
};

export const SANDBOXES: readonly Choice<Sandbox>[] = [
  { value: "read-only", label: "Read only", help: "Commands can read files and change nothing." },
  { value: "workspace-write", label: "Write in its directory", help: "Commands can change files in the session's directory only." },
  { value: "danger-full-access", label: "No sandbox", help: "Commands can do whatever you can. Only on a machine that you can lose." },
];

export const BUSY: readonly Choice<BusyPolicy>[] = [
  { value: "queue", label: "Queue", help: "A message waits until the agent is done." },
  { value: "steer", label: "Steer", help: "A message goes into the work that runs." },
  { value: "interrupt", label: "Interrupt", help: "A message stops the work that runs, and is done next." },
  { value: "reject", label: "Refuse", help: "A message is refused while the agent works." },
];
