import { lazy, Suspense, useEffect } from "react";
import { ConversationView } from "../conversation/ConversationView";
import { MomentContext } from "../lib/moment";
import { EMPTY } from "../model/conversation";
import { fleet } from "../model/fleet";
import { watchedSession } from "../model/session";
import { useStore } from "../model/store";
import { Composer } from "../steer/Composer";
import { useTravel } from "../travel/useTravel";
import { SessionHeader } from "./header/SessionHeader";
import { useRepository } from "./header/useRepository";
import { NoSession } from "./NoSession";
import { rememberFirstWords } from "./title";
import { firstMessage } from "./firstMessage";
import styles from "./Session.module.css";

const ChangesView = lazy(() => import("../conversation/ChangesView").then(({ ChangesView }) => ({ default: ChangesView })));
const ThenView = lazy(() => import("../travel/ThenView").then(({ ThenView }) => ({ default: ThenView })));
const TravelBar = lazy(() => import("../travel/TravelBar").then(({ TravelBar }) => ({ default: TravelBar })));
const UsageView = lazy(() => import("../conversation/UsageView").then(({ UsageView }) => ({ default: UsageView })));

interface Props {
  id: string;
  view: "talk" | "changes" | "usage";
  /** The event after which it is looked at, if it is not now. */
  at: number | undefined;
}

/** One session in focus. */
export function Session({ id, view, at }: Props) {
  const session = watchedSession(id);
  useEffect(() => session.watch(), [session]);
  const { conversation, refused } = useStore(session.state);
  const known = useStore(fleet, (state) => state.sessions.get(id));
  useRepository(id, conversation);
  const journey = useTravel(session, at);
  const said = firstMessage(conversation);
  useEffect(() => {
    if (said) rememberFirstWords(id, said);
  }, [id, said]);
  if (refused || conversation.removed) return <NoSession refused={refused} />;
  if (journey) {
    return (
      <MomentContext value={Date.parse(journey.event?.at ?? "")}>
        <SessionHeader id={id} known={known} conversation={journey.conversation ?? EMPTY} live={conversation} view={view} at={at} />
        <div className={styles.view}>
          <Suspense>
            <ThenView sessionId={id} view={view} journey={journey} />
          </Suspense>
        </div>
        <Suspense>
          <TravelBar sessionId={id} journey={journey} live={conversation} />
        </Suspense>
      </MomentContext>
    );
  }
  return (
    <>
      <SessionHeader id={id} known={known} conversation={conversation} live={conversation} view={view} />
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
