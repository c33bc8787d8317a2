import { type CSSProperties, memo, useEffect, useId, useMemo } from "react";
import { languageOf } from "../code/language";
import { useFold } from "../lib/useFold";
import styles from "./Lines.module.css";
import type { Layout } from "./layout";
import { linesOf, roomFor, shownAtFirst } from "./line";
import type { Notes, Range } from "./notes";
import type { DiffedFile } from "./parse";
import { PieceView } from "./PieceView";
import { type Piece, piecesOf, rowsOf } from "./rows";
import { usePointing } from "./usePointing";

interface Props {
  /** Where it is remembered that all was asked for. */
  id: string;
  file: DiffedFile;
  layout: Layout;
  /** A longer one shows its beginning only, until asked. */
  limit: number;
  notes?: Notes;
}

const NOWHERE: readonly Range[] = [];

/** The lines of one file's diff. */
export const Lines = memo(function Lines({ id, file, layout, limit, notes }: Props) {
  const [all, toggle] = useFold(`${id}:all`, false);
  const name = useId();
  const lines = linesOf(file);
  const first = shownAtFirst(lines.length, Math.max(limit, lastOf(notes) + 1));
  const shown = all ? lines.length : first;
  const rows = useMemo(() => rowsOf(file, lines, shown, layout), [file, lines, shown, layout]);
  const pieces = useMemo(() => piecesOf(rows), [rows]);
  const room = useMemo(() => roomFor(lines), [lines]);
  const { at, byKey, range, handlers } = usePointing(rows, lines, notes?.onPoint);
  const here = at === undefined ? undefined : `${name}-${at}`;
  useEffect(() => {
    if (here && byKey) document.getElementById(here)?.scrollIntoView({ block: "nearest" });
  }, [here, byKey]);

  if (file.binary) return <Empty words="A binary file: there are no lines to show." notes={notes} />;
  if (lines.length === 0) {
    return <Empty words={file.from ? "Moved; its lines are the same." : "No line changed: the file is empty, or only its mode changed."} notes={notes} />;
  }
  const language = languageOf(file.path);
  return (
    <>
      {notes?.astray}
      <div
        role="grid"
        aria-label={`Diff of ${file.path}`}
        aria-readonly
        aria-activedescendant={here}
        tabIndex={0}
        className={notes ? `${styles.scroll} ${styles.open}` : styles.scroll}
        {...handlers}
      >
        <div className={layout === "split" ? `${styles.lines} ${styles.split}` : styles.lines} style={{ "--digits": room.digits, "--letters": room.letters } as CSSProperties}>
          {pieces.map((piece, place) => (
            <PieceView
              key={place}
              piece={piece}
              lines={lines}
              layout={layout}
              language={language}
              lazy={place > 1}
              id={name}
              at={at !== undefined && at >= piece.from && at < piece.to ? at : undefined}
              range={range && meets(piece, range) ? range : undefined}
              about={notes?.about.some((one) => meets(piece, one)) ? notes.about : NOWHERE}
              under={hasUnder(piece, notes) ? notes?.under : undefined}
            />
          ))}
        </div>
      </div>
      {shown < lines.length || (all && first < lines.length) ? (
        <button type="button" className={styles.more} aria-expanded={all} onClick={toggle}>
          {all ? "Show less" : `Show ${(lines.length - shown).toLocaleString()} more lines`}
        </button>
      ) : null}
    </>
  );
});

function Empty({ words, notes }: { words: string; notes: Notes | undefined }) {
  return (
    <>
      {notes?.astray}
      <p className={styles.note}>{words}</p>
    </>
  );
}

const meets = ({ from, to }: Piece, range: Range): boolean => range.from < to && from <= range.to;

const hasUnder = ({ from, to }: Piece, notes: Notes | undefined): boolean =>
  notes !== undefined && [...notes.under.keys()].some((at) => from <= at && at < to);

/** The last line of which something is said: it is not folded away. */
const lastOf = (notes: Notes | undefined): number => Math.max(-1, ...(notes?.under.keys() ?? []));
