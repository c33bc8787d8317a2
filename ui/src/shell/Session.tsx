import { useEffect } from "react";
import { ConversationView } from "../conversation/ConversationView";
import { watchedSession } from "../model/session";
import { useStore } from "../model/store";
import { Composer } from "../steer/Composer";

interface Props {
  id: string;
  view: "talk" | "changes" | "usage";
}

/** One session in focus. */
export function Session({ id }: Props) {
  const session = watchedSession(id);
  useEffect(() => session.watch(), [session]);
  const { conversation } = useStore(session.state);
  return (
    <>
      <ConversationView sessionId={id} conversation={conversation} />
      <Composer sessionId={id} conversation={conversation} />
    </>
  );
}
