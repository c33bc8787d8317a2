import { useRef, useState } from "react";
import { attempt } from "../lib/notices";
import { patchSession } from "../model/actions";

interface Props {
  id: string;
  title: string;
  className: string | undefined;
  /** It is done with, and whether the keyboard said so: then the focus goes back to the name. */
  onDone(byKey: boolean): void;
}

/** A session's name while it is changed, in its own place: Enter or leaving keeps it, Escape does not. */
export function NameField({ id, title, className, onDone }: Props) {
  const [name, setName] = useState(title);
  // Enter takes the field away, and that is a way of leaving it too.
  const done = useRef(false);
  const end = (keep: boolean, byKey: boolean) => {
    if (done.current) return;
    done.current = true;
    const wanted = name.trim();
    if (keep && wanted && wanted !== title) void attempt("The name was not changed", () => patchSession(id, { name: wanted }));
    onDone(byKey);
  };
  return (
    <input
      className={className}
      aria-label="Name of the session"
      value={name}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(true, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // On a phone it stands in a dialog, which Escape would close.
        event.preventDefault();
        end(event.key === "Enter", true);
      }}
    />
  );
}
