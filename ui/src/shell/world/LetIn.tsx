import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Refused } from "../../api/client";
import { sentence } from "../../lib/format";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import input from "../../parts/input.module.css";
import styles from "./Explained.module.css";

/** The gateway does not let this page in: how to get in again. */
export function LetIn({ refused }: { refused: Refused }) {
  const [token, setToken] = useState("");
  const open = (event: FormEvent) => {
    event.preventDefault();
    location.assign(`/?token=${encodeURIComponent(token.trim())}`);
  };
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <KeyRound size={28} className={styles.mark} aria-hidden />
        <h1 className={styles.title}>{refused.status === 401 ? "The gateway needs your token" : "The gateway refused this page"}</h1>
        <p>
          {sentence(refused.message)} {refused.status !== 401 && refused.hint && sentence(refused.hint)}
        </p>
        {refused.status === 401 && (
          <>
            <p>
              Open the address that <code>selvedge serve</code> printed when it started: it ends with <code>?token=…</code>. Or paste the token;
              it lies in the file <code>token</code> of the data directory.
            </p>
            <form className={styles.row} onSubmit={open}>
              <Field label="Token">
                {(ids) => (
                  <input
                    {...ids}
                    className={input["input"]}
                    type="password"
                    autoComplete="off"
                    required
                    value={token}
                    onChange={(event) => setToken(event.target.value)}
                  />
                )}
              </Field>
              <Button look="primary" type="submit">
                Open
              </Button>
            </form>
          </>
        )}
        {refused.status !== 401 && <Button onClick={() => location.reload()}>Try again</Button>}
      </div>
    </main>
  );
}
