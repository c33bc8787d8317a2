import { ArrowUp, ImagePlus } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import type { Conversation } from "../../model/conversation";
import { Button, IconButton } from "../../parts/Button";
import { BusyChoice } from "./BusyChoice";
import { isBusy, useWay } from "./busy";
import { isEmpty, setText, useDraft } from "./drafts";
import styles from "./Editor.module.css";
import { Help } from "./Help";
import { isPhone, sends } from "./keys";
import { ACCEPT } from "./pictures";
import { StopButton } from "./StopButton";
import type { Suggestion } from "./suggest";
import { Suggestions, optionId } from "./Suggestions";
import { Thumbnails } from "./Thumbnails";
import { insert } from "./trigger";
import { useAttach } from "./useAttach";
import { useHistory } from "./useHistory";
import { useSend } from "./useSend";
import { useStop } from "./useStop";
import { useSuggestions } from "./useSuggestions";
import { useTwice } from "./useTwice";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** Where a person writes to the agent, and stops it. */
export function Editor({ sessionId, conversation }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const listId = useId();
  const draft = useDraft(sessionId);
  const busy = isBusy(conversation);
  const [help, setHelp] = useState(false);
  const [caret, setCaret] = useState<number>();
  const [way, choose, tellWay] = useWay(sessionId, conversation);
  const { submit, objection, dismiss } = useSend(sessionId, busy || tellWay ? way : undefined, () => setHelp(true));
  const attach = useAttach(sessionId);
  const { stopping, stop } = useStop(sessionId, busy);
  const escape = useTwice(stop);
  const suggestions = useSuggestions(sessionId, draft.text, caret);
  const put = (text: string, at = text.length) => {
    setText(sessionId, text);
    // Once the text is there.
    requestAnimationFrame(() => area.current?.setSelectionRange(at, at));
  };
  const history = useHistory(conversation, put);

  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [draft.text]);

  const pick = ({ insert: chosen }: Suggestion) => {
    if (!suggestions.trigger) return;
    const inserted = insert(draft.text, suggestions.trigger, chosen);
    put(inserted.text, inserted.caret);
    setCaret(inserted.caret);
  };

  /** Keys of the open list; whether it was one. */
  const inList = (event: KeyboardEvent): boolean => {
    const chosen = suggestions.list[suggestions.active];
    if (!chosen) return false;
    if (event.key === "ArrowDown") suggestions.move(1);
    else if (event.key === "ArrowUp") suggestions.move(-1);
    else if (event.key === "Escape") suggestions.close();
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isTyped(chosen))) pick(chosen);
    else return false;
    return true;
  };
  // A command that stands there in full is sent by Enter, not completed once more.
  const isTyped = (chosen: Suggestion): boolean => chosen.insert === draft.text.trim() && suggestions.list.length === 1;

  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const composing = event.nativeEvent.isComposing;
    if (composing) return;
    if (inList(event) || history.key(event)) event.preventDefault();
    else if (sends({ key, shiftKey, ctrlKey, metaKey, altKey, composing }, isPhone())) {
      event.preventDefault();
      submit();
    } else if (key === "Escape" && busy) escape();
  };

  const pasted = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void attach.add(files);
  };

  const open = suggestions.list.length > 0;
  const objections = [...(objection ? [objection] : []), ...attach.objections];
  return (
    <div className={styles.editor} data-over={attach.over || undefined}>
      {open ? (
        <Suggestions
          id={listId}
          list={suggestions.list}
          active={suggestions.active}
          label={suggestions.trigger?.of === "file" ? "Files" : "Commands"}
          onPick={pick}
          onActive={suggestions.choose}
        />
      ) : null}
      <Thumbnails pictures={draft.pictures} onRemove={attach.remove} />
      <textarea
        ref={area}
        data-composer
        dir="auto"
        className={styles.text}
        rows={1}
        aria-label="Message to the agent"
        aria-autocomplete="list"
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open ? optionId(listId, suggestions.active) : undefined}
        placeholder={placeholder(busy, way)}
        value={draft.text}
        onChange={(event) => {
          history.leave();
          dismiss();
          attach.dismiss();
          setText(sessionId, event.target.value);
          setCaret(event.target.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setCaret(undefined)}
        onKeyDown={pressed}
        onPaste={pasted}
      />
      <div role="alert" className={styles.objections}>
        {objections.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <div className={styles.bar}>
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept={ACCEPT}
          onChange={(event) => {
            void attach.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <IconButton label="Add pictures" onClick={() => picker.current?.click()}>
          <ImagePlus size={16} aria-hidden />
        </IconButton>
        <span className={styles.hint}>
          <kbd>/</kbd> commands <kbd>@</kbd> files
        </span>
        <span className={styles.space} />
        {busy ? (
          <div className={styles.choice}>
            <BusyChoice way={way} onChoose={choose} />
          </div>
        ) : null}
        {busy ? <StopButton stopping={stopping} onStop={stop} /> : null}
        <Button look="primary" className={styles.send} aria-label="Send" title="Send (Enter)" disabled={isEmpty(draft)} onClick={submit}>
          <ArrowUp size={16} aria-hidden />
        </Button>
      </div>
      {attach.over ? <p className={styles.drop}>Drop pictures to send them with your message</p> : null}
      {help ? <Help onClose={() => setHelp(false)} /> : null}
    </div>
  );
}

function placeholder(busy: boolean, way: string): string {
  if (!busy) return "Message to the agent";
  if (way === "steer") return "Steer the running turn";
  return way === "interrupt" ? "Interrupt with a message" : "Queue a message";
}
