// What each command does.
import { forkAndOpen } from "../../lib/forkAndOpen";
import { attempt, tell } from "../../lib/notices";
import { go } from "../../lib/route";
import { archive, control, interrupt, patchSession } from "../../model/actions";

type Deed = (session: string, argument: string) => Promise<boolean>;

const DEEDS: Record<string, Deed> = {
  compact: (session) => said("Not compacted", () => control(session, "compact"), "Codex is summing up the conversation."),
  review: (session) => said("No review", () => control(session, "review"), "The review begins."),
  fork: (session) => forkAndOpen(session),
  interrupt: (session) => attempt("Not interrupted", () => interrupt(session)),
  // What it came to is said above the composer.
  stop: (session) => attempt("Not stopped", () => control(session, "stop")),
  rename: (session, name) => said("Not renamed", () => patchSession(session, { name }), `The session is called ${name}.`),
  model: (session, model) => said("Not changed", () => patchSession(session, { model }), `From the next turn on: ${model}.`),
  effort: (session, effort) => said("Not changed", () => patchSession(session, { effort }), `From the next turn on: ${effort} effort.`),
  archive: (session) =>
    attempt("Not archived", async () => {
      await archive(session, true);
      go({ page: "home" });
    }),
};

async function said(failed: string, act: () => Promise<unknown>, done: string): Promise<boolean> {
  const worked = await attempt(failed, act);
  if (worked) tell(done);
  return worked;
}

/** Whether it was done: if not, what was typed stays. */
export function runCommand(session: string, name: string, argument: string): Promise<boolean> {
  return DEEDS[name]?.(session, argument) ?? Promise.resolve(false);
}
