import { X } from "lucide-react";
import { lastPart } from "../../lib/format";
import { IconButton } from "../../parts/Button";
import styles from "./CommentsList.module.css";
import { type Comment, remove } from "./comments";
import { linesInWords } from "./message";
import { seek } from "./sought";

interface Props {
  id: string;
  session: string;
  comments: readonly Comment[];
}

/** Every comment in short; each leads to its lines. */
export function CommentsList({ id, session, comments }: Props) {
  return (
    <ul id={id} className={styles.list}>
      {comments.map((comment) => (
        <li key={comment.id} className={styles.item}>
          <button type="button" className={styles.comment} title={`Show it in ${comment.path}`} onClick={() => seek(session, comment)}>
            <span className={styles.about}>
              <code>{lastPart(comment.path)}</code>, {linesInWords(comment.lines)}
            </span>
            {comment.text}
          </button>
          <IconButton label="Remove the comment" onClick={() => remove(session, [comment.id])}>
            <X size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
