import type { Conversation } from "../model/conversation";

interface Props {
  conversation: Conversation;
}

/** What the session used: tokens, money, context. */
export function UsageView({ conversation }: Props) {
  return <div>{conversation.usage?.total ?? 0} tokens</div>;
}
