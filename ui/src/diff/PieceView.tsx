import { type CSSProperties, Fragment, memo, type ReactNode, useRef } from "react";
import styles from "./Lines.module.css";
import type { Layout } from "./layout";
import type { DiffLine } from "./line";
import type { Range } from "./notes";
import type { Pointing } from "./row";
import type { Piece } from "./rows";
import { SideBySide } from "./SideBySide";
import { Unified } from "./Unified";
import { useColours } from "./useColours";
import { useNear } from "./useNear";

interface Props {
  piece: Piece;
  lines: readonly DiffLine[];
  layout: Layout;
  language: string | undefined;
  /** It is made only when it comes near. */
  lazy: boolean;
  id: string;
  at: number | undefined;
  range: Range | undefined;
  about: readonly Range[];
  under: ReadonlyMap<number, ReactNode> | undefined;
}

/** Some rows of a diff, with what is said of them. */
export const PieceView = memo(function PieceView({ piece, lines, layout, language, lazy, id, at, range, about, under }: Props) {
  const element = useRef<HTMLDivElement>(null);
  // What somebody points at or speaks of has to be there.
  const { near, height } = useNear(element, !lazy || at !== undefined || under !== undefined);
  const tokensOf = useColours(lines, piece, near ? language : undefined);
  if (!near) {
    const room = height === undefined ? ({ "--rows": piece.rows.length } as CSSProperties) : { height };
    return <div ref={element} className={styles.later} style={room} />;
  }
  const pointing: Pointing = { at, range, about, idOf: (place) => (place === at ? `${id}-${place}` : undefined) };
  const Row = layout === "split" ? SideBySide : Unified;
  return (
    <div role="rowgroup" ref={element} className={styles.piece}>
      {piece.rows.map((row, place) => (
        <Fragment key={place}>
          {row.head === undefined ? <Row row={row} lines={lines} tokensOf={tokensOf} pointing={pointing} /> : <Head words={row.head} />}
          {under ? <Under cells={row.cells} under={under} /> : null}
        </Fragment>
      ))}
    </div>
  );
});

function Head({ words }: { words: string }) {
  return (
    <div role="row" className={styles.hunk}>
      <span role="gridcell">{words}</span>
    </div>
  );
}

function Under({ cells, under }: { cells: readonly (number | undefined)[]; under: ReadonlyMap<number, ReactNode> }) {
  const said = [...new Set(cells)].flatMap((at) => (at !== undefined && under.has(at) ? [at] : []));
  return said.map((at) => (
    <div role="row" key={at} className={styles.under}>
      <div role="gridcell">{under.get(at)}</div>
    </div>
  ));
}
