import { lazy, Suspense, useEffect } from "react";
import { ConversationView } from "../conversation/ConversationView";
import { fleet } from "../model/fleet";
import { watchedSession } from "../model/session";
import { useStore } from "../model/store";
import { Composer } from "../steer/Composer";
import { SessionHeader } from "./header/SessionHeader";
import { NoSession } from "./NoSession";
import { rememberFirstWords } from "./title";
import { firstMessage } from "./firstMessage";
import styles from "./Session.module.css";

const ChangesView = lazy(() => import("../conversation/ChangesView").then(({ ChangesView }) => ({ default: ChangesView })));
const UsageView = lazy(() => import("../conversation/UsageView").then(({ UsageView }) => ({ default: UsageView })));

interface Props {
  id: string;
  view: "talk" | "changes" | "usage";
}

/** One session in focus. */
export function Session({ id, view }: Props) {
  const session = watchedSession(id);
  useEffect(() => session.watch(), [session]);
  const { conversation, refused } = useStore(session.state);
  const known = useStore(fleet, (state) => state.sessions.get(id));
  const said = firstMessage(conversation);
  useEffect(() => {
    if (said) rememberFirstWords(id, said);
  }, [id, said]);
  if (refused || conversation.removed) return <NoSession refused={refused} />;
  return (
    <>
      <SessionHeader id={id} known={known} conversation={conversation} view={view} />
      <div className={styles.view}>
        {view === "talk" && <ConversationView sessionId={id} conversation={conversation} />}
        <Suspense>
          {view === "changes" && <ChangesView sessionId={id} conversation={conversation} />}
          {view === "usage" && <UsageView conversation={conversation} />}
        </Suspense>
      </div>
      {view === "talk" && <Composer sessionId={id} conversation={conversation} />}
    </>
  );
}
