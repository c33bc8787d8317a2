import { type FormEvent, type KeyboardEvent, useState } from "react";
import { go } from "../../lib/route";
import { attempt } from "../../lib/notices";
import { createSession, sendMessage } from "../../model/actions";
import { Button } from "../../parts/Button";
import { Kbd } from "../../parts/Kbd";
import { PageHead } from "../PageHead";
import { type Choices, lastChoices, rememberChoices, requestOf } from "./choices";
import { DirectoryField } from "./DirectoryField";
import { type Faults, faultsOf } from "./faults";
import { ModelFields } from "./ModelFields";
import { MoreFields } from "./MoreFields";
import styles from "./NewSession.module.css";
import { PermissionFields } from "./PermissionFields";
import { TextField } from "./TextField";

/** What was filled in and not yet sent: it is still there after a look elsewhere. */
let unsent: Choices | undefined;

export function NewSession() {
  const [begun] = useState(() => unsent ?? lastChoices());
  const [choices, setChoices] = useState(begun);
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);

  const choose = (change: Partial<Choices>) => {
    unsent = { ...choices, ...change };
    setChoices(unsent);
    setFaults((known) => Object.fromEntries(Object.entries(known).filter(([field]) => field !== "form" && !(field in change))));
  };
  const create = async (event?: FormEvent) => {
    event?.preventDefault();
    if (!choices.cwd.trim()) return setFaults({ cwd: "Choose a directory." });
    setBusy(true);
    try {
      const { id } = await createSession(requestOf(choices));
      rememberChoices(choices);
      const text = choices.message.trim();
      if (!text || (await attempt("The session is there, but its first message was not sent", () => sendMessage(id, { text })))) unsent = undefined;
      go({ page: "session", id, view: "talk" });
    } catch (error) {
      setFaults(faultsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void create();
  };
  const parts = { choices, faults, choose };
  return (
    <>
      <PageHead title="New session" />
      <form className={styles.form} onSubmit={(event) => void create(event)} onKeyDown={key} noValidate>
        <div className={styles.fields}>
          <DirectoryField value={choices.cwd} error={faults.cwd} autoFocus={!begun.cwd} onChange={(cwd) => choose({ cwd })} />
          <TextField
            label="First message"
            lines={4}
            autoFocus={begun.cwd !== ""}
            placeholder="What should it do? You can also say that later."
            value={choices.message}
            onChange={(message) => choose({ message })}
          />
          <ModelFields {...parts} />
          <PermissionFields {...parts} />
          <MoreFields {...parts} />
        </div>
        <div className={styles.foot}>
          <p role="alert" className={styles.error}>
            {faults.form}
          </p>
          <span className={styles.keys}>
            <Kbd keys={["Ctrl", "Enter"]} />
          </span>
          <Button look="primary" type="submit" disabled={busy} className={styles.start}>
            {busy ? "Starting…" : "Start session"}
          </Button>
        </div>
      </form>
    </>
  );
}
