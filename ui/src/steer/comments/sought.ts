// The comment that somebody wants to see in its place: whatever holds it opens, and the list goes there.
import { useEffect } from "react";
import { go } from "../../lib/route";
import { Cell, useStore } from "../../model/store";
import type { Comment } from "./comments";
import { CHANGES } from "./place";

type Sought = Pick<Comment, "id" | "where" | "path">;

const sought = new Cell<Sought | undefined>(undefined);

/** Shows the view of the session in which it stands; what is there finds it. */
export function seek(session: string, { id, where, path }: Comment): void {
  sought.set({ id, where, path });
  go({ page: "session", id: session, view: where === CHANGES ? "changes" : "talk" });
}

/** Whether it stands in this file of this diff, which has to be open then. */
export const useSoughtIn = (where: string, path: string): boolean =>
  useStore(sought, (now) => now?.where === where && now.path === path);

/** The diff in which it stands. */
export const useSoughtPlace = (): string | undefined => useStore(sought, (now) => now?.where);

/** Calls `found` when this one is sought. Then the search is over. */
export function useFound(id: string, found: () => void): void {
  const wanted = useStore(sought, (now) => now?.id === id);
  useEffect(() => {
    if (!wanted) return undefined;
    // After a frame: whatever opened for it has its height, and the list has gone to its row.
    const frame = requestAnimationFrame(() => {
      sought.set(undefined);
      found();
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);
}
