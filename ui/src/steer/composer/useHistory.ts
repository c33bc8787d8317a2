// The arrow keys in the composer.
import { type KeyboardEvent, useRef } from "react";
import type { Conversation } from "../../model/conversation";
import { type Looking, type Step, earlier, later, onFirstLine, onLastLine, sentTexts } from "./history";

export function useHistory(conversation: Conversation, put: (text: string) => void) {
  const looking = useRef<Looking | undefined>(undefined);
  const take = (step: Step | undefined): boolean => {
    if (!step) return false;
    looking.current = step.looking;
    put(step.text);
    return true;
  };
  return {
    /** Whether the key was one of ours. */
    key: (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
      const { value, selectionStart, selectionEnd } = event.currentTarget;
      if (selectionStart !== selectionEnd || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
      if (event.key === "ArrowUp" && onFirstLine(value, selectionStart)) {
        return take(earlier(sentTexts(conversation), value, looking.current));
      }
      if (event.key === "ArrowDown" && onLastLine(value, selectionStart)) {
        return take(later(sentTexts(conversation), looking.current));
      }
      return false;
    },
    /** Whoever types is writing something of their own. */
    leave: () => (looking.current = undefined),
  };
}
