import { FileDiff as DiffIcon, RefreshCw } from "lucide-react";
import { useMemo, useState } from "react";
import { Counts } from "../diff/Counts";
import { FoldsContext } from "../lib/useFold";
import type { Conversation } from "../model/conversation";
import { Button, IconButton } from "../parts/Button";
import { ChangedFile, placeOf } from "./changes/ChangedFile";
import { FileTree } from "./changes/FileTree";
import { LayoutChoice } from "./changes/LayoutChoice";
import { Note } from "./changes/Note";
import { inOrder, treeOf } from "./changes/tree";
import { useLayout } from "./changes/useLayout";
import styles from "./ChangesView.module.css";
import { Astray } from "../steer/comments/Astray";
import { ReviewFoot } from "../steer/comments/ReviewFoot";
import { useDiff } from "./useDiff";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

/** So many files are open at first. */
const OPEN = 30;

/** Everything the session changed: which files, and every line. */
export function ChangesView({ sessionId, conversation }: Props) {
  const { files, problem, again } = useDiff(sessionId, conversation.changed);
  const [layout, choose] = useLayout();
  // Folding or opening all begins anew with what is open.
  const [folding, fold] = useState({ open: undefined as boolean | undefined, folds: new Map<string, boolean>() });
  const tree = useMemo(() => treeOf(files ?? []), [files]);
  const shown = useMemo(() => inOrder(tree), [tree]);
  const paths = useMemo(() => new Set(shown.map(({ path }) => path)), [shown]);

  if (problem) return <Note title="The changes could not be read" words={`${problem.message} ${problem.hint}`} action={<Button onClick={again}>Try again</Button>} />;
  if (!files) return <Note title="Reading the changes" words="" />;
  if (files.length === 0) {
    return (
      <div className={styles.view}>
        <Astray session={sessionId} paths={paths} />
        <Note icon={<DiffIcon size={28} />} title="Nothing changed yet" words="What the agent changes in files is shown here, line by line." />
        <ReviewFoot sessionId={sessionId} conversation={conversation} />
      </div>
    );
  }

  const isOpen = (at: number) => folding.open ?? at < OPEN;
  const pick = (path: string) => {
    const element = document.getElementById(placeOf(path));
    element?.scrollIntoView({ block: "start" });
    element?.focus({ preventScroll: true });
  };
  const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
  return (
    <FoldsContext value={folding.folds}>
      <div className={styles.view}>
        <div className={styles.bar}>
          <h2 className={styles.title}>
            {files.length} {files.length === 1 ? "file" : "files"} changed
          </h2>
          <Counts added={sum("added")} removed={sum("removed")} />
          <span className={styles.space} />
          <LayoutChoice layout={layout} onChoose={choose} />
          <Button look="quiet" onClick={() => fold({ open: folding.open === false, folds: new Map() })}>
            {folding.open === false ? "Open all" : "Fold all"}
          </Button>
          <IconButton label="Read the changes again" onClick={again}>
            <RefreshCw size={14} aria-hidden />
          </IconButton>
        </div>
        <div className={styles.columns}>
          <nav className={styles.tree} aria-label="Changed files">
            <FileTree folder={tree} onPick={pick} />
          </nav>
          <div className={styles.files} key={String(folding.open)}>
            <Astray session={sessionId} paths={paths} />
            {shown.map((file, at) => (
              <ChangedFile key={file.path} session={sessionId} file={file} layout={layout} open={isOpen(at)} />
            ))}
          </div>
        </div>
        <ReviewFoot sessionId={sessionId} conversation={conversation} />
      </div>
    </FoldsContext>
  );
}
