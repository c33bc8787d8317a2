// The turns of a session as lines of a table: what was asked, and what it cost.
import type { Conversation, Turn } from "../../model/conversation";

export interface TurnLine {
  turn: Turn;
  /** The first words of what was asked. */
  asked: string;
  costUsd: number | undefined;
}

/** Turns that used something or were asked for, the newest first. */
export function turnLines({ turns, entries }: Pick<Conversation, "turns" | "entries">): TurnLine[] {
  return [...turns.values()]
    .filter((turn) => turn.usage || turn.messageIds.length > 0)
    .map((turn) => ({ turn, asked: asked(turn, entries), costUsd: turn.costUsd }))
    .reverse();
}

function asked(turn: Turn, entries: Conversation["entries"]): string {
  const words = turn.messageIds.flatMap((id) => {
    const entry = entries.get(`message:${id}`);
    return entry?.kind === "message" ? entry.input.map((part) => (part.type === "text" ? part.text : "an image")) : [];
  });
  return words.join(" ").replace(/\s+/g, " ").slice(0, 200) || "Codex's own work";
}
