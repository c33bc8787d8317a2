import { useMemo, useRef } from "react";
import { FoldsContext } from "../lib/useFold";
import type { Conversation } from "../model/conversation";
import { EntriesContext, PlaceContext } from "./context";
import { PictureViewer } from "./pictures/PictureViewer";
import { rowsOf } from "./rows";
import { Timeline } from "./Timeline";
import { Welcome } from "./Welcome";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** The conversation of one session: everything that was said and done, in its order. */
export function ConversationView({ sessionId, conversation }: Props) {
  const folds = useRef(new Map<string, boolean>()).current;
  const cwd = conversation.settings?.cwd;
  const place = useMemo(() => ({ sessionId, cwd }), [sessionId, cwd]);
  const { order, entries, turns } = conversation;
  const rows = useMemo(() => rowsOf({ order, entries, turns }), [order, entries, turns]);
  const empty = rows.length === 0 && conversation.seq > 0 && conversation.queue.length === 0;
  return (
    <PlaceContext value={place}>
      <EntriesContext value={entries}>
        <FoldsContext value={folds}>
          {empty ? <Welcome /> : <Timeline rows={rows} conversation={conversation} />}
          <PictureViewer />
        </FoldsContext>
      </EntriesContext>
    </PlaceContext>
  );
}
