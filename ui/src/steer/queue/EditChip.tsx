import { Check, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { attempt } from "../../lib/notices";
import { changeMessage } from "../../model/actions";
import { IconButton } from "../../parts/Button";
import { giveBack } from "../composer/drafts";
import { isPhone, sends } from "../composer/keys";
import styles from "./EditChip.module.css";

interface Props {
  sessionId: string;
  messageId: string;
  text: string;
  onDone(): void;
}

/** A message of the queue while its words are changed. */
export function EditChip({ sessionId, messageId, text, onDone }: Props) {
  const [words, setWords] = useState(text);
  const save = async () => {
    if (words.trim() === "" || words === text) return onDone();
    const changed = await attempt("Not changed", () => changeMessage(sessionId, messageId, { text: words }));
    // It may have begun meanwhile: then the new words are still here.
    if (!changed) giveBack(sessionId, { text: words, pictures: [] });
    onDone();
  };
  const pressed = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (key === "Escape") onDone();
    else if (sends({ key, shiftKey, ctrlKey, metaKey, altKey, composing: event.nativeEvent.isComposing }, isPhone())) void save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.edit}>
      <textarea
        autoFocus
        className={styles.text}
        aria-label="Change the message"
        rows={Math.min(words.split("\n").length, 6)}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={pressed}
        onFocus={(event) => event.target.setSelectionRange(words.length, words.length)}
      />
      <IconButton label="Save" onClick={() => void save()}>
        <Check size={14} aria-hidden />
      </IconButton>
      <IconButton label="Leave it as it was" onClick={onDone}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
