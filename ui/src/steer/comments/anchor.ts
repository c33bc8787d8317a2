// Where a comment stands: at lines, not at numbers, because a diff goes on changing under it.
import type { DiffLine } from "../../diff/line";
import type { Range } from "../../diff/notes";

export type Quoted = Omit<DiffLine, "hunk">;

export interface Anchor {
  lines: readonly Quoted[];
  /** The lines above and below: they tell it from others that read the same. */
  above: string | undefined;
  below: string | undefined;
}

const read = (line: Quoted | undefined): string | undefined => line && `${line.type}:${line.text}`;

export function anchorAt(lines: readonly DiffLine[], { from, to }: Range): Anchor {
  const quoted = lines.slice(from, to + 1).map(({ hunk: _, ...line }) => line);
  return { lines: quoted, above: read(lines[from - 1]), below: read(lines[to + 1]) };
}

/** These lines and those of another comment, as far as they are in one hunk. */
export function withMore(lines: readonly DiffLine[], anchor: Anchor, range: Range): Range {
  const there = findIn(lines, anchor);
  if (!there || lines[there.from]?.hunk !== lines[range.from]?.hunk) return range;
  return { from: Math.min(there.from, range.from), to: Math.max(there.to, range.to) };
}

/** So many letters are not written twice by chance. */
const TELLING = 12;

/** Where those lines are now; nothing if they are gone. Of several that read the same, the one that has moved least. */
export function findIn(lines: readonly DiffLine[], { lines: quoted, above, below }: Anchor): Range | undefined {
  const [first] = quoted;
  if (!first) return undefined;
  const number = (line: Quoted | undefined) => line?.after ?? line?.before ?? 0;
  const found: { range: Range; sure: boolean; moved: number }[] = [];
  for (let from = 0; from + quoted.length <= lines.length; from++) {
    if (!quoted.every((line, nth) => read(line) === read(lines[from + nth]))) continue;
    const to = from + quoted.length - 1;
    const moved = Math.abs(number(lines[from]) - number(first));
    const between = read(lines[from - 1]) === above || read(lines[to + 1]) === below;
    found.push({ range: { from, to }, sure: moved === 0 || between, moved });
  }
  const sure = found.filter((one) => one.sure);
  if (sure.length > 0) return sure.reduce((best, one) => (one.moved < best.moved ? one : best)).range;
  const telling = quoted.some(({ text }) => text.trim().length >= TELLING);
  return found.length === 1 && telling ? found[0]?.range : undefined;
}
