import { ArrowDown } from "lucide-react";
import styles from "./JumpToEnd.module.css";

interface Props {
  /** How much came since the reader left the end. */
  news: number;
  onJump(): void;
}

export function JumpToEnd({ news, onJump }: Props) {
  return (
    <button type="button" title="To the end (End)" className={styles.jump} onClick={onJump}>
      <ArrowDown size={14} aria-hidden />
      {news > 0 ? "New below" : "Jump to the end"}
      {news > 0 ? <span className={styles.news}>{news > 99 ? "99+" : news}</span> : null}
    </button>
  );
}
