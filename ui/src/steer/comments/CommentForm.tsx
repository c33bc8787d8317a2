import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "../../parts/Button";
import input from "../../parts/input.module.css";
import { isPhone, sends } from "../composer/keys";
import styles from "./CommentForm.module.css";
import { remove, setWords, stop } from "./comments";

interface Props {
  session: string;
  id: string;
  text: string;
  /** Which lines, in words. */
  about: string;
}

/** The ones that had the keyboard once: a row that is scrolled away and comes back does not take it again. */
const begun = new Set<string>();

/** Where a comment is written. What is written is kept at once. */
export function CommentForm({ session, id, text, about }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = area.current;
    if (!element || begun.has(id)) return;
    begun.add(id);
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
    element.scrollIntoView({ block: "nearest" });
  }, [id]);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text]);
  /** The keyboard goes back to the lines, from where it came. */
  const leave = (how: () => void) => {
    const lines = area.current?.closest<HTMLElement>("[role=grid]");
    begun.delete(id);
    how();
    lines?.focus({ preventScroll: true });
  };
  const pressed = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const composing = event.nativeEvent.isComposing;
    if (composing || !(key === "Escape" || sends({ key, shiftKey, ctrlKey, metaKey, altKey, composing }, isPhone()))) return;
    event.preventDefault();
    event.stopPropagation();
    leave(() => stop(session));
  };
  return (
    <div className={styles.form}>
      <textarea
        ref={area}
        rows={2}
        className={`${input.input} ${styles.text}`}
        aria-label={`Comment on ${about}`}
        placeholder="What should be different here?"
        value={text}
        onChange={(event) => setWords(session, id, event.target.value)}
        onKeyDown={pressed}
      />
      <div className={styles.row}>
        <Button look="primary" disabled={text.trim() === ""} onClick={() => leave(() => stop(session))}>
          Keep
        </Button>
        <Button look="quiet" onClick={() => leave(() => remove(session, [id]))}>
          {text.trim() === "" ? "Cancel" : "Remove"}
        </Button>
        <span className={styles.hint}>
          {text === "" && isPhone() ? "Tap another number to speak of more lines." : "Kept here until you send all comments as one message."}
        </span>
      </div>
    </div>
  );
}
