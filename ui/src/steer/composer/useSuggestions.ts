// The list under the caret: what it holds, which of it is chosen.
import { useEffect, useMemo, useState } from "react";
import { type Suggestion, suggest, suggestNow } from "./suggest";
import { triggerAt } from "./trigger";

/** A person types faster than files are found: only where they stop is asked. */
const PAUSE = 80;
const NONE: readonly Suggestion[] = [];

export function useSuggestions(session: string, text: string, caret: number | undefined) {
  const trigger = useMemo(() => (caret === undefined ? undefined : triggerAt(text, caret)), [text, caret]);
  const id = trigger && `${trigger.of}:${trigger.of === "argument" ? trigger.command : ""}:${trigger.query}`;
  const [found, setFound] = useState<{ id: string; list: readonly Suggestion[] }>();
  const [closed, setClosed] = useState<string>();
  const [active, setActive] = useState(0);
  useEffect(() => {
    setActive(0);
    setClosed(undefined);
    if (!trigger || !id || suggestNow(trigger)) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      // No list is no harm: the text is typed on.
      suggest(session, trigger, stop.signal).then(
        (list) => setFound({ id, list }),
        () => undefined,
      );
    }, PAUSE);
    return () => (clearTimeout(timer), stop.abort());
    // `id` says everything about the trigger that matters here.
  }, [session, id]);
  const open = trigger && closed !== id;
  const list = !open ? NONE : (suggestNow(trigger) ?? (found && found.id === id ? found.list : sameKind(found, trigger.of)));
  return {
    trigger,
    list,
    active: Math.min(active, Math.max(list.length - 1, 0)),
    move: (by: number) => setActive((now) => (list.length === 0 ? 0 : (now + by + list.length) % list.length)),
    choose: setActive,
    close: () => setClosed(id),
  };
}

/** Until the next answer comes the last one of its kind stays: a list that blinks cannot be read. */
function sameKind(found: { id: string; list: readonly Suggestion[] } | undefined, of: string): readonly Suggestion[] {
  return found?.id.startsWith(`${of}:`) ? found.list : NONE;
}
