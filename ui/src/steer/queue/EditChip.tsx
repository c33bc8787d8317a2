import { Check, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { IconButton } from "../../parts/Button";
import { isPhone, sends } from "../composer/keys";
import styles from "./EditChip.module.css";

interface Props {
  text: string;
  onSave(text: string): Promise<void> | void;
  onDone(): void;
}

/** A message that has not run yet, while its words are changed. */
export function EditChip({ text, onSave, onDone }: Props) {
  const [words, setWords] = useState(text);
  const save = async () => {
    if (words.trim() !== "" && words !== text) await onSave(words);
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
