// Comments on lines that were not sent yet, for each session: they survive a reload and another session, as a draft does.
import { newKey } from "../../api/client";
import { Cell, useStore } from "../../model/store";
import { forGood, keep, recall, whenChangedElsewhere } from "../composer/kept";
import type { Anchor } from "./anchor";

export interface Comment extends Anchor {
  id: string;
  /** The diff it was written in. */
  where: string;
  path: string;
  text: string;
}

const kept = new Map<string, Cell<readonly Comment[]>>();
const keptKey = (session: string): string => `comments.${session}`;

export function commentsOf(session: string): Cell<readonly Comment[]> {
  const known = kept.get(session);
  if (known) return known;
  const key = keptKey(session);
  const recalled = () => recall<Comment[]>(forGood, key) ?? [];
  const made = new Cell<readonly Comment[]>(recalled());
  kept.set(session, made);
  made.subscribe(() => {
    const said = made.get().filter(isSaid);
    keep(forGood, key, said.length > 0 ? said : undefined);
  });
  // What another tab has sent must not be sent again from here.
  whenChangedElsewhere(key, () => made.update((own) => [...recalled(), ...own.filter((one) => !isSaid(one))]));
  return made;
}

export const useComments = (session: string): readonly Comment[] => useStore(commentsOf(session));

/** One that has words. */
export const isSaid = ({ text }: Comment): boolean => text.trim() !== "";

/** The one that is being written; there is one at a time. */
const writing = new Cell<string | undefined>(undefined);
export const useIsWriting = (id: string): boolean => useStore(writing, (now) => now === id);

/** The one that was begun in a file and has no words yet. */
export function begunIn(session: string, where: string, path: string): Comment | undefined {
  const id = writing.get();
  return commentsOf(session).get().find((one) => one.id === id && one.where === where && one.path === path && !isSaid(one));
}

/** A new comment at some lines: whoever asked for it writes it. */
export function begin(session: string, where: string, path: string, anchor: Anchor): void {
  stop(session);
  const id = newKey();
  commentsOf(session).update((all) => [...all, { id, where, path, ...anchor, text: "" }]);
  writing.set(id);
}

export function edit(session: string, id: string): void {
  stop(session);
  writing.set(id);
}

/** Writing ends. What has no words is no comment. */
export function stop(session: string): void {
  writing.set(undefined);
  commentsOf(session).update((all) => (all.every(isSaid) ? all : all.filter(isSaid)));
}

export const setWords = (session: string, id: string, text: string): void =>
  commentsOf(session).update((all) => all.map((one) => (one.id === id ? { ...one, text } : one)));

export function remove(session: string, ids: readonly string[]): void {
  if (ids.includes(writing.get() ?? "")) writing.set(undefined);
  commentsOf(session).update((all) => all.filter(({ id }) => !ids.includes(id)));
}
