// A session with the stand-in, one click away: in the first directory that sessions may work in.
import { ask } from "../../api/client";
import type { Named } from "../../api/types";
import { attempt } from "../../lib/notices";
import { go } from "../../lib/route";
import { createSession, sendMessage } from "../../model/actions";
import { recentDirectories } from "../create/recent";

export const demonstrate = (text = "Hello! What can you do?"): Promise<boolean> =>
  attempt("The demonstration did not start", async () => {
    const cwd = recentDirectories()[0] ?? (await firstRoot());
    const session = await createSession({ cwd, backend: "rehearsal", name: "Demonstration", permission_mode: "default" });
    await sendMessage(session.id, { text });
    go({ page: "session", id: session.id, view: "talk" });
  });

async function firstRoot(): Promise<string> {
  const { items } = await ask<{ items: Named[] }>("GET", "/v1/fs");
  return items[0]?.path ?? "/";
}
