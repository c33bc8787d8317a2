import type { Conversation } from "../model/conversation";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

export function ConversationView({ conversation }: Props) {
  return <div>{conversation.order.length}</div>;
}
