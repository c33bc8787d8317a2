// What stands under each other: lines, or pairs of lines, with a head before each hunk.
import type { Layout } from "./layout";
import type { DiffLine } from "./line";
import type { DiffedFile } from "./parse";
import { pairsOf } from "./sides";

/** The places of its lines, one for each column; a head of a hunk has words instead. */
export interface Row {
  head?: string;
  cells: readonly (number | undefined)[];
}

/** The rows of the first lines of a file. */
export function rowsOf({ hunks }: DiffedFile, lines: readonly DiffLine[], shown: number, layout: Layout): Row[] {
  const rows: Row[] = [];
  let from = 0;
  for (const { content, changes } of hunks) {
    if (from >= shown) break;
    const to = Math.min(from + changes.length, shown);
    if (content !== "") rows.push({ head: content, cells: [] });
    if (layout === "split") for (const cells of pairsOf(lines, from, to)) rows.push({ cells });
    else for (let at = from; at < to; at++) rows.push({ cells: [at] });
    from += changes.length;
  }
  return rows;
}

/** So many rows come into being together. */
const PIECE = 80;

export interface Piece {
  rows: readonly Row[];
  /** The first of its lines, and the one behind its last. */
  from: number;
  to: number;
}

/** A long list in pieces: each is made when it comes near, and coloured alone. */
export function piecesOf(rows: readonly Row[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < rows.length; at += PIECE) {
    const part = rows.slice(at, at + PIECE);
    const places = part.flatMap(({ cells }) => cells.filter((cell) => cell !== undefined));
    pieces.push({ rows: part, from: Math.min(...places), to: Math.max(...places) + 1 });
  }
  return pieces;
}

/** The line above or below, in the same column where there is one. */
export function neighbour(rows: readonly Row[], at: number, by: 1 | -1): number | undefined {
  const here = rows.findIndex(({ cells }) => cells.includes(at));
  const column = rows[here]?.cells.lastIndexOf(at) ?? 0;
  for (let next = here + by; next >= 0 && next < rows.length; next += by) {
    const cells = rows[next]?.cells ?? [];
    const found = cells[column] ?? cells.find((cell) => cell !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What stands beside a line, if that is another one. */
export function beside(rows: readonly Row[], at: number): number | undefined {
  return rows.find(({ cells }) => cells.includes(at))?.cells.find((cell) => cell !== undefined && cell !== at);
}
