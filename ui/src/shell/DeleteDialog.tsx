import { attempt } from "../lib/notices";
import { go } from "../lib/route";
import { remove } from "../model/actions";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import styles from "./dialogs.module.css";

interface Props {
  id: string;
  title: string;
  /** Its worktree's branch. */
  worktree: string | undefined;
  onClose(): void;
}

/** Nothing brings it back, so it is asked, and the safe answer has the focus. */
export function DeleteDialog({ id, title, worktree, onClose }: Props) {
  const act = async () => {
    onClose();
    const done = await attempt("The session was not deleted", () => remove(id));
    if (done && location.pathname.startsWith(`/s/${id}`)) go({ page: "home" });
  };
  return (
    <Dialog title="Delete session?" onClose={onClose}>
      <div className={styles.form}>
        <p>
          <strong>{title}</strong> ends, and its history is removed for good. Files in its directory stay as they are.
          {worktree && ` Its worktree goes; the branch ${worktree} stays.`}
        </p>
        <p className={styles.soft}>To put it out of sight and keep it, archive it instead.</p>
        <div className={styles.actions}>
          <Button autoFocus onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" onClick={() => void act()}>
            Delete for good
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
