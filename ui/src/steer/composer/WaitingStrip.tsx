import { MessageCircleQuestion } from "lucide-react";
import { go } from "../../lib/route";
import type { Conversation } from "../../model/conversation";
import { useStore } from "../../model/store";
import { Button } from "../../parts/Button";
import { Kbd } from "../../parts/Kbd";
import { firstCard } from "../approval/focus";
import { cardsInView } from "../approval/inView";
import styles from "./WaitingStrip.module.css";

/** Codex waits for an answer, and what it asks is not in sight. */
export function WaitingStrip({ conversation }: { conversation: Conversation }) {
  const seen = useStore(cardsInView);
  const { length } = conversation.waiting;
  if (length === 0 || conversation.waiting.some((id) => seen.has(id))) return null;
  const show = () => {
    const card = firstCard();
    if (!card) return go({ page: "inbox" });
    card.focus();
    card.scrollIntoView({ block: "nearest" });
  };
  return (
    <div className={styles.strip}>
      <MessageCircleQuestion size={16} aria-hidden className={styles.icon} />
      <p className={styles.words}>{length === 1 ? "The agent waits for your answer" : `The agent waits for ${length} answers`}</p>
      <Button look="quiet" aria-keyshortcuts="Alt+W" onClick={show}>
        Answer{" "}
        <span className={styles.hint} aria-hidden>
          <Kbd inside keys={["Alt", "W"]} />
        </span>
      </Button>
    </div>
  );
}
