// What rows of both layouts are given, and have in common.
import type { Token } from "../code/tokens";
import styles from "./Lines.module.css";
import type { DiffLine } from "./line";
import { isIn, type Range } from "./notes";
import type { Row } from "./rows";

export interface Pointing {
  /** Where the reader is, and what they picked. */
  at: number | undefined;
  range: Range | undefined;
  about: readonly Range[];
  idOf(at: number): string | undefined;
}

export interface RowProps {
  row: Row;
  lines: readonly DiffLine[];
  tokensOf(at: number): readonly Token[] | undefined;
  pointing: Pointing;
}

export const SIGNS = { insert: "+", delete: "−", normal: " " } as const;

export function toneOf({ at: here, range, about }: Pointing, at: number): string {
  const tones = [here === at && styles["here"], range && isIn(at, range) && styles["picked"], about.some((one) => isIn(at, one)) && styles["noted"]];
  return tones.filter(Boolean).join(" ");
}
