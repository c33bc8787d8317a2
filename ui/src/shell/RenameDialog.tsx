import { type FormEvent, useState } from "react";
import { attempt } from "../lib/notices";
import { patchSession } from "../model/actions";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Field } from "../parts/Field";
import input from "../parts/input.module.css";
import styles from "./dialogs.module.css";

interface Props {
  session: { id: string; name?: string | null };
  onClose(): void;
}

export function RenameDialog({ session, onClose }: Props) {
  const [name, setName] = useState(session.name ?? "");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (await attempt("The name was not changed", () => patchSession(session.id, { name: name.trim() }))) onClose();
  };
  return (
    <Dialog title="Rename session" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <Field label="Name">
          {(ids) => (
            <input {...ids} className={input["input"]} value={name} maxLength={200} required autoFocus onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
