// A fork is made to go on with: it is opened at once.
import { fork, patchSession } from "../model/actions";
import { fleet } from "../model/fleet";
import { attempt } from "./notices";
import { go } from "./route";

export const forkAndOpen = (id: string, afterMessageId?: string): Promise<boolean> =>
  attempt("The session was not forked", async () => {
    const session = await fork(id, afterMessageId);
    const name = fleet.get().sessions.get(id)?.name;
    // Nobody's first words are its own yet: it is called by what it came from.
    if (name) await patchSession(session.id, { name: forkOf(name) }).catch(() => undefined);
    go({ page: "session", id: session.id, view: "talk" });
  });

const forkOf = (name: string): string => (name.startsWith("Fork of ") ? name : `Fork of ${name}`);
