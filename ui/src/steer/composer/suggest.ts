// What can be completed: commands at once, files and models from the gateway.
import { ask } from "../../api/client";
import type { Model } from "../../api/types";
import { matching } from "./commands";
import { type Trigger, quotedPath } from "./trigger";

export interface Suggestion {
  /** What is put into the text. */
  insert: string;
  label: string;
  detail?: string;
}

interface Found {
  items: { path: string; kind: "file" | "directory" }[];
}

const MOST = 12;

/** Without a request, where that is possible. */
export function suggestNow(trigger: Trigger): Suggestion[] | undefined {
  if (trigger.of === "command") {
    return matching(trigger.query).map(({ name, argument, does }) => ({
      insert: `/${name}`,
      label: argument ? `/${name} ${argument}` : `/${name}`,
      detail: does,
    }));
  }
  if (trigger.of === "argument" && trigger.command !== "model" && trigger.command !== "effort") return [];
  return undefined;
}

export async function suggest(session: string, trigger: Trigger, signal: AbortSignal): Promise<Suggestion[]> {
  if (trigger.of === "file") return files(session, trigger.query, signal);
  if (trigger.of === "argument") return argumentsOf(trigger.command, trigger.query, signal);
  return [];
}

async function files(session: string, query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/files?query=${encodeURIComponent(query)}`;
  const found = await ask<Found>("GET", path, { signal });
  return found.items.slice(0, MOST).map((item) => ({ insert: quotedPath(item.path), label: item.path }));
}

async function argumentsOf(command: string, query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { items: models } = await ask<{ items: Model[] }>("GET", "/v1/models", { signal });
  const all = command === "model" ? models.map(ofModel) : uniqueEfforts(models);
  return all.filter(({ insert }) => insert.startsWith(query)).slice(0, MOST);
}

const ofModel = ({ id, description }: Model): Suggestion => ({ insert: id, label: id, ...(description ? { detail: description } : {}) });

function uniqueEfforts(models: readonly Model[]): Suggestion[] {
  const efforts = new Map<string, Suggestion>();
  for (const { effort, description } of models.flatMap((model) => model.efforts)) {
    if (!efforts.has(effort)) efforts.set(effort, { insert: effort, label: effort, ...(description ? { detail: description } : {}) });
  }
  return [...efforts.values()];
}
