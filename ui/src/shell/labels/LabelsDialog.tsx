import { type FormEvent, useState } from "react";
import { attempt } from "../../lib/notices";
import { patchSession } from "../../model/actions";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import styles from "../dialogs.module.css";
import type { KnownSession } from "../known";
import type { Labels } from "./labels";
import { LabelsField } from "./LabelsField";

interface Props {
  session: KnownSession;
  title: string;
  onClose(): void;
}

export function LabelsDialog({ session, title, onClose }: Props) {
  const [labels, setLabels] = useState<Labels>(session.labels ?? {});
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (await attempt("The labels were not changed", () => patchSession(session.id, { labels }))) onClose();
  };
  return (
    <Dialog title={`Labels of ${title}`} onClose={onClose}>
      <form className={styles["form"]} onSubmit={(event) => void save(event)}>
        <LabelsField labels={labels} onChange={setLabels} />
        <div className={styles["actions"]}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
