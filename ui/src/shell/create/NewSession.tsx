import { type FormEvent, type KeyboardEvent, useState } from "react";
import { go } from "../../lib/route";
import { attempt } from "../../lib/notices";
import { createSession, sendMessage } from "../../model/actions";
import { Button } from "../../parts/Button";
import { Kbd } from "../../parts/Kbd";
import { PageHead } from "../PageHead";
import { type Choices, rememberChoices, requestOf } from "./choices";
import { DirectoryField } from "./DirectoryField";
import { type Faults, faultsOf } from "./faults";
import { ModelFields } from "./ModelFields";
import { MoreFields } from "./MoreFields";
import styles from "./NewSession.module.css";
import { PermissionFields } from "./PermissionFields";
import { TextField } from "./TextField";
import { begun, keepUnsent } from "./unsent";

export function NewSession() {
  const [first] = useState(begun);
  const [choices, setChoices] = useState(first);
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);

  const choose = (change: Partial<Choices>) => {
    const chosen = { ...choices, ...change };
    keepUnsent(chosen);
    setChoices(chosen);
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
      if (!text || (await attempt("The session is there, but its first message was not sent", () => sendMessage(id, { text })))) keepUnsent(undefined);
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
          <DirectoryField value={choices.cwd} error={faults.cwd} autoFocus={!first.cwd} onChange={(cwd) => choose({ cwd })} />
          <TextField
            label="First message"
            lines={4}
            autoFocus={first.cwd !== ""}
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
