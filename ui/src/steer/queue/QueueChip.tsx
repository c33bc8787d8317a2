import { ChevronDown, ChevronUp, GripVertical, Image, Pencil, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { attempt } from "../../lib/notices";
import { changeMessage, takeBack } from "../../model/actions";
import type { MessageEntry } from "../../model/entry";
import { IconButton } from "../../parts/Button";
import { draftOf, giveBack, isEmpty } from "../composer/drafts";
import { textOf } from "../composer/history";
import { EditChip } from "./EditChip";
import styles from "./QueueChip.module.css";
import { picturesOf } from "./picturesOf";

interface Props {
  sessionId: string;
  entry: MessageEntry;
  place: number;
  length: number;
  isDragged: boolean;
  onMove(by: -1 | 1): void;
  onDrag(id: string | undefined): void;
  onDrop(): void;
}

/** One message that waits. */
export function QueueChip({ sessionId, entry, place, length, isDragged, onMove, onDrag, onDrop }: Props) {
  const [editing, setEditing] = useState(false);
  const chip = useRef<HTMLLIElement>(null);
  const text = textOf(entry.input);
  const pictures = entry.input.filter((part) => part.type === "image").length;

  const back = () =>
    void attempt("Not taken back", async () => {
      await takeBack(sessionId, entry.messageId);
      if (!isEmpty(draftOf(sessionId).get())) return;
      draftOf(sessionId).set({ text, pictures: await picturesOf(sessionId, entry.input) });
      document.querySelector<HTMLElement>("[data-composer]")?.focus();
    });

  const pressed = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey && event.key === "ArrowUp") onMove(-1);
    else if (event.altKey && event.key === "ArrowDown") onMove(1);
    else if (event.key === "Enter") setEditing(true);
    else if (event.key === "Delete" || event.key === "Backspace") back();
    else return;
    event.preventDefault();
  };

  const save = async (words: string) => {
    const changed = await attempt("Not changed", () => changeMessage(sessionId, entry.messageId, { text: words }));
    // It may have begun meanwhile: then the new words are still here.
    if (!changed) giveBack(sessionId, { text: words, pictures: [] });
  };

  if (editing) {
    const done = () => {
      setEditing(false);
      requestAnimationFrame(() => chip.current?.focus());
    };
    return (
      <li className={styles.chip}>
        <EditChip text={text} onSave={save} onDone={done} />
      </li>
    );
  }
  return (
    <li
      ref={chip}
      className={isDragged ? styles.dragged : styles.chip}
      tabIndex={0}
      aria-label={`Waits at place ${place + 1} of ${length}: ${text || "picture"}`}
      draggable
      onKeyDown={pressed}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", text);
        onDrag(entry.messageId);
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes("Files")) (event.preventDefault(), onDrop());
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <GripVertical size={14} aria-hidden className={styles.grip} />
      <span className={styles.text} title={text}>
        {text || "Picture"}
      </span>
      {pictures > 0 ? (
        <span className={styles.pictures}>
          <Image size={12} aria-hidden /> {pictures}
          <span className="visually-hidden"> pictures</span>
        </span>
      ) : null}
      <span className={styles.buttons}>
        {length > 1 ? (
          <>
            <IconButton label="Move earlier" disabled={place === 0} onClick={() => onMove(-1)}>
              <ChevronUp size={14} aria-hidden />
            </IconButton>
            <IconButton label="Move later" disabled={place === length - 1} onClick={() => onMove(1)}>
              <ChevronDown size={14} aria-hidden />
            </IconButton>
          </>
        ) : null}
        <IconButton label="Edit" onClick={() => setEditing(true)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
        <IconButton label="Take back" onClick={back}>
          <X size={14} aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}
