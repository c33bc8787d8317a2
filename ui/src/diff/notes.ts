// What people have to say about lines, as far as a diff has to know it: what stands under which line, and what happens when
// somebody points at some.
import type { ReactNode } from "react";

/** From one line to another, both included. */
export interface Range {
  from: number;
  to: number;
}

export interface Notes {
  /** What stands under a line, by its place. */
  under: ReadonlyMap<number, ReactNode>;
  /** Lines of which something is said. */
  about: readonly Range[];
  /** What stands above all lines, because its own are gone. */
  astray: ReactNode;
  onPoint(range: Range): void;
}

export const isIn = (at: number, { from, to }: Range): boolean => from <= at && at <= to;
