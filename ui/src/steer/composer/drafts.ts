// What somebody is writing, for each session: it survives a reload, another session, and a gateway that is away.
import { Cell, useStore } from "../../model/store";
import { forGood, forThisTab, keep, recall } from "./kept";

export interface Picture {
  id: string;
  name: string;
  /** The picture itself, as a `data:` address. */
  url: string;
}

export interface Draft {
  text: string;
  pictures: readonly Picture[];
}

const NOTHING: Draft = { text: "", pictures: [] };
const drafts = new Map<string, Cell<Draft>>();

const textKey = (session: string): string => `draft.${session}`;
const picturesKey = (session: string): string => `pictures.${session}`;

export function draftOf(session: string): Cell<Draft> {
  const known = drafts.get(session);
  if (known) return known;
  const text = recall<string>(forGood, textKey(session)) ?? NOTHING.text;
  const pictures = recall<Picture[]>(forThisTab, picturesKey(session)) ?? NOTHING.pictures;
  const made = new Cell<Draft>({ text, pictures });
  drafts.set(session, made);
  let before = made.get();
  made.subscribe(() => {
    store(session, made.get(), before);
    before = made.get();
  });
  return made;
}

function store(session: string, { text, pictures }: Draft, before: Draft): void {
  if (text !== before.text) keep(forGood, textKey(session), text === "" ? undefined : text);
  // Pictures are large: they are not written again with every letter, and the tab keeps them only if it can.
  if (pictures === before.pictures) return;
  if (!keep(forThisTab, picturesKey(session), pictures.length > 0 ? pictures : undefined)) {
    keep(forThisTab, picturesKey(session), undefined);
  }
}

export const useDraft = (session: string): Draft => useStore(draftOf(session));

export const isEmpty = (draft: Draft): boolean => draft.text.trim() === "" && draft.pictures.length === 0;

export const clear = (session: string): void => draftOf(session).set(NOTHING);

export const setText = (session: string, text: string): void => draftOf(session).update((draft) => ({ ...draft, text }));

/** What would otherwise be lost goes behind what is being written. */
export function giveBack(session: string, { text, pictures }: Draft): void {
  draftOf(session).update((draft) => ({
    text: draft.text.trim() === "" ? text : `${draft.text}\n\n${text}`,
    pictures: [...draft.pictures, ...pictures],
  }));
}
