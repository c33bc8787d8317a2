// Pictures by paste, drop and choice. A picture dropped anywhere on the page goes with the message: the browser would otherwise
// leave the page to show it.
import { useCallback, useEffect, useState } from "react";
import { draftOf } from "./drafts";
import { readPictures } from "./pictures";

export function useAttach(session: string) {
  const [objections, setObjections] = useState<readonly string[]>([]);
  const [over, setOver] = useState(false);
  const add = useCallback(
    async (files: readonly File[]) => {
      const read = await readPictures(files, draftOf(session).get().pictures);
      setObjections(read.objections);
      draftOf(session).update((draft) => ({ ...draft, pictures: [...draft.pictures, ...read.pictures] }));
    },
    [session],
  );
  useEffect(() => {
    const dragged = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      void add([...event.dataTransfer.files]);
    };
    addEventListener("dragover", dragged);
    addEventListener("dragleave", left);
    addEventListener("drop", dropped);
    return () => {
      removeEventListener("dragover", dragged);
      removeEventListener("dragleave", left);
      removeEventListener("drop", dropped);
    };
  }, [add]);
  const remove = (id: string) =>
    draftOf(session).update((draft) => ({ ...draft, pictures: draft.pictures.filter((picture) => picture.id !== id) }));
  return { add, remove, over, objections, dismiss: () => setObjections([]) };
}
