import { useMemo, useRef } from "react";
import { FoldsContext } from "../lib/useFold";
import type { Conversation } from "../model/conversation";
import { Note } from "./changes/Note";
import { EntriesContext, PlaceContext } from "./context";
import { rowsOfPast } from "./past/rowsOfPast";
import { usePast } from "./past/usePast";
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
  const own = useMemo(() => rowsOf({ order, entries, turns }), [order, entries, turns]);
  const past = usePast(sessionId, conversation.settings?.forked_from ?? undefined);
  const before = useMemo(() => rowsOfPast(past ?? []), [past]);
  const rows = useMemo(() => (before.length > 0 ? [...before, ...own] : own), [before, own]);
  // What is above comes first: nothing jumps when it arrives.
  if (past === undefined) return <Note title="Reading what came before" words="" />;
  // Until the history is there, nothing is: the list begins at the end of it, and does not draw its first rows in vain.
  if (conversation.seq === 0) return null;
  const empty = rows.length === 0 && conversation.queue.length === 0;
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
