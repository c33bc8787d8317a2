import { ArrowDown } from "lucide-react";
import styles from "./JumpToEnd.module.css";

interface Props {
  /** How much came since the reader left the end. */
  news: number;
  onJump(): void;
}

export function JumpToEnd({ news, onJump }: Props) {
  return (
    <button type="button" className={styles.jump} onClick={onJump}>
      <ArrowDown size={14} aria-hidden />
      Jump to the end
      {news > 0 ? <span className={styles.news}>{news} new</span> : null}
    </button>
  );
}
