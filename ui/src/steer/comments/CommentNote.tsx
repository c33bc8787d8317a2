import { MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "../../parts/Button";
import { useStore } from "../../model/store";
import { CommentForm } from "./CommentForm";
import styles from "./CommentNote.module.css";
import { commentsOf, edit, remove, useIsWriting } from "./comments";
import { linesInWords } from "./message";
import { Quote } from "./Quote";
import { useFound } from "./sought";

interface Props {
  session: string;
  id: string;
  /** Its lines are not in the diff any more. */
  gone?: boolean;
  /** Where the file does not say it. */
  withPath?: boolean;
}

/** A comment in its place: to be read, changed, or written just now. */
export function CommentNote({ session, id, gone = false, withPath = false }: Props) {
  const comment = useStore(commentsOf(session), (all) => all.find((one) => one.id === id));
  const writes = useIsWriting(id);
  const note = useRef<HTMLElement>(null);
  useFound(id, () => {
    note.current?.scrollIntoView({ block: "center" });
    note.current?.focus({ preventScroll: true });
  });
  if (!comment) return null;
  const about = linesInWords(comment.lines);
  const place = withPath ? `${comment.path}, ${about}` : about;
  return (
    <section ref={note} tabIndex={-1} className={styles.note} aria-label={`Comment on ${about}`}>
      <header className={styles.head}>
        <MessageSquare size={13} aria-hidden />
        <span className={styles.about}>
          {gone ? `Was on ${place}. The diff has changed, and these lines are gone from it.` : `On ${place}`}
        </span>
        {writes ? null : (
          <>
            <IconButton label="Change the comment" className={styles.small} onClick={() => edit(session, id)}>
              <Pencil size={13} aria-hidden />
            </IconButton>
            <IconButton label="Remove the comment" className={styles.small} onClick={() => remove(session, [id])}>
              <Trash2 size={13} aria-hidden />
            </IconButton>
          </>
        )}
      </header>
      {gone ? <Quote lines={comment.lines} /> : null}
      {writes ? <CommentForm session={session} id={id} text={comment.text} about={about} /> : <p className={styles.words}>{comment.text}</p>}
    </section>
  );
}
