import type { Conversation } from "../model/conversation";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** Everything the session changed. */
export function ChangesView({ conversation }: Props) {
  return <div>{conversation.changed.length} files changed</div>;
}
