// A fork is made to go on with: it is opened at once.
import { attempt } from "../lib/notices";
import { go } from "../lib/route";
import { fork } from "../model/actions";

export const forkAndOpen = (id: string, afterMessageId?: string): Promise<boolean> =>
  attempt("The session was not forked", async () => {
    const session = await fork(id, afterMessageId);
    go({ page: "session", id: session.id, view: "talk" });
  });
