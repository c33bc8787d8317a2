// What only the session itself says, such as where its repository stands: asked when it is opened and after each turn.
import { useEffect, useState } from "react";
import { ask } from "../../api/client";
import type { SessionDetail } from "../../api/types";
import type { Conversation } from "../../model/conversation";

export function useDetail(id: string, conversation: Conversation): SessionDetail | undefined {
  const [detail, setDetail] = useState<SessionDetail>();
  const { runningTurn } = conversation;
  useEffect(() => {
    if (runningTurn) return;
    const stop = new AbortController();
    ask<SessionDetail>("GET", `/v1/sessions/${encodeURIComponent(id)}`, { signal: stop.signal }).then(setDetail, () => undefined);
    return () => stop.abort();
  }, [id, runningTurn]);
  return detail;
}
