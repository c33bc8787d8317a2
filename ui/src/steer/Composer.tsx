import type { Conversation } from "../model/conversation";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

export function Composer({ conversation }: Props) {
  return <div>{conversation.queue.length}</div>;
}
