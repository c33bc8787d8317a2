import { History } from "lucide-react";
import { Note } from "../conversation/changes/Note";
import { ConversationView } from "../conversation/ConversationView";
import { UsageView } from "../conversation/UsageView";
import { ChangesThen } from "./ChangesThen";
import { NotThere } from "./NotThere";
import { QueueThen } from "./QueueThen";
import type { Journey } from "./useTravel";

interface Props {
  sessionId: string;
  view: "talk" | "changes" | "usage";
  journey: Journey;
}

/** The views of a session as they were. */
export function ThenView({ sessionId, view, journey }: Props) {
  const { conversation } = journey;
  if (!conversation) return <NotThere journey={journey} />;
  switch (view) {
    case "talk":
      if (conversation.order.length === 0) {
        return <Note icon={<History size={28} />} title="Nothing had been said yet" words="This is where the session began. Play, or go on to its first turn." />;
      }
      return (
        <>
          <ConversationView sessionId={sessionId} conversation={conversation} />
          <QueueThen conversation={conversation} />
        </>
      );
    case "changes":
      return <ChangesThen conversation={conversation} />;
    case "usage":
      return <UsageView conversation={conversation} />;
  }
}
