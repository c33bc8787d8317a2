// Where a session's repository stands, which no event says: asked when it is opened and after each turn.
import { useEffect } from "react";
import { ask } from "../../api/client";
import type { Conversation } from "../../model/conversation";
import { fleet } from "../../model/fleet";
import type { KnownSession } from "../known";

export function useRepository(id: string, { runningTurn }: Conversation): void {
  useEffect(() => {
    if (runningTurn) return;
    const stop = new AbortController();
    ask<KnownSession>("GET", `/v1/sessions/${encodeURIComponent(id)}`, { signal: stop.signal }).then(put, () => undefined);
    return () => stop.abort();
  }, [id, runningTurn]);
}

/** Only what the feed does not say: the answer may be older than what the feed has said since. */
function put(asked: KnownSession): void {
  fleet.update((state) => {
    const { git, repository, worktree } = asked;
    const session: KnownSession = { ...(state.sessions.get(asked.id) ?? asked), git: git ?? null, repository: repository ?? null, worktree: worktree ?? null };
    return { ...state, sessions: new Map(state.sessions).set(asked.id, session) };
  });
}
