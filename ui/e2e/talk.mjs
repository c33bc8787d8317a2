// What visitors say to an agent, see of it, and what the journal has of it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Words for turns that end when the visitor wants, and for answers whose words can be counted. */
export const VISITS = join(import.meta.dirname, "..", "..", "scenarios", "visits.toml");

export const conversationOf = (page) => page.getByRole("region", { name: "Conversation" });

let made = 0;

/** A session that may do anything, in a directory of its own; `open` lets what `[gate]` began go on. */
export async function gated(gateway) {
  const cwd = join(gateway.work, `gated-${(made += 1)}`);
  mkdirSync(cwd);
  const { id } = await gateway.session({ cwd, sandbox: "danger-full-access", approval_policy: "never" });
  return { id, open: () => writeFileSync(join(cwd, "go"), "") };
}

/** Everything that the journal has of a session. */
export async function eventsOf(gateway, id) {
  const events = [];
  for (;;) {
    const page = await gateway.api("GET", `/v1/sessions/${id}/events?after=${events.at(-1)?.seq ?? 0}`);
    events.push(...page.events);
    if (page.events.length === 0 || events.at(-1).seq >= page.last_seq) return events;
  }
}
