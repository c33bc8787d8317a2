// A session as a file: made here, of the same events that are shown.
import { history } from "../../api/history";
import type { Event } from "../../api/types";
import type { Conversation } from "../../model/conversation";
import { asMarkdown } from "../../model/markdown";
import { pastOf } from "../../model/past";

/** What a fork took over is read for it: another session has it. */
export async function saveAsMarkdown(id: string, title: string, conversation: Conversation): Promise<void> {
  const past = conversation.settings?.forked_from ? await pastOf(id) : [];
  save(`${fileName(title)}.md`, "text/markdown", asMarkdown(title, conversation, past));
}

/** Every event, as the gateway has it. */
export async function saveAsJson(id: string, title: string): Promise<void> {
  const all: Event[] = [];
  for await (const { events } of history(id)) all.push(...events);
  save(`${fileName(title)}.json`, "application/json", JSON.stringify({ session_id: id, events: all }, undefined, 1));
}

const fileName = (title: string): string => title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "session";

function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
