import { MessageSquare } from "lucide-react";
import styles from "./CommentCount.module.css";
import { countOf } from "./message";
import { useCommentsIn } from "./placed";

interface Props {
  session: string;
  where: string;
  path: string;
}

/** How much is said of a file: its head tells it, though its lines may be folded. */
export function CommentCount({ session, where, path }: Props) {
  const { length } = useCommentsIn(session, where, path);
  if (length === 0) return null;
  return (
    <span className={styles.count} role="img" aria-label={countOf(length)} title={countOf(length)}>
      <MessageSquare size={12} aria-hidden /> {length}
    </span>
  );
}
