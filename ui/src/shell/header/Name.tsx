import { useState } from "react";
import { attempt } from "../../lib/notices";
import { patchSession } from "../../model/actions";
import styles from "./Name.module.css";

interface Props {
  id: string;
  title: string;
}

/** Its name; a click, or Enter on it, makes it a field. */
export function Name({ id, title }: Props) {
  const [draft, setDraft] = useState<string>();
  const keep = () => {
    const name = draft?.trim();
    setDraft(undefined);
    if (name && name !== title) void attempt("The name was not changed", () => patchSession(id, { name }));
  };
  if (draft === undefined) {
    return (
      <h1 className={styles.heading}>
        <button type="button" className={styles.name} title="Rename" onClick={() => setDraft(title)}>
          {title}
        </button>
      </h1>
    );
  }
  return (
    <input
      className={styles.field}
      aria-label="Name of the session"
      value={draft}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === "Enter") keep();
        else if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}
