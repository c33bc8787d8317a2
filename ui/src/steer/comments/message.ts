// Comments as one message: each with its file, its lines as they were read, and the words.
import { within } from "../../diff/ChangeTitle";
import type { Quoted } from "./anchor";
import type { Comment } from "./comments";

export const countOf = (number: number): string => (number === 1 ? "1 comment" : `${number} comments`);

export function asMessage(comments: readonly Comment[], cwd: string | undefined): string {
  const inOrder = comments.toSorted((a, b) => a.path.localeCompare(b.path) || placeOf(a) - placeOf(b));
  return [`${countOf(comments.length)} on the changes:`, ...inOrder.map((comment) => one(comment, cwd))].join("\n\n");
}

const placeOf = ({ lines: [first] }: Comment): number => first?.after ?? first?.before ?? 0;

function one({ path, lines, text }: Comment, cwd: string | undefined): string {
  const quoted = quote(lines);
  const fence = fenceFor(quoted);
  return `\`${within(path, cwd)}\`, ${linesInWords(lines)}:\n${fence}diff\n${quoted}\n${fence}\n${text.trim()}`;
}

/** `line 3`, `lines 3–5`; of lines that were only removed, what they were before. */
export function linesInWords(lines: readonly Quoted[]): string {
  const after = lines.flatMap(({ after }) => (after === undefined ? [] : [after]));
  const numbers = after.length > 0 ? after : lines.flatMap(({ before }) => (before === undefined ? [] : [before]));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return `${first === last ? `line ${first}` : `lines ${first}–${last}`}${after.length > 0 ? "" : " before the change"}`;
}

const SIGNS = { insert: "+", delete: "-", normal: " " } as const;
const LONGEST = 60;
const END = 20;

/** A very long range is said by its beginning and its end. */
function quote(lines: readonly Quoted[]): string {
  const signed = lines.map(({ type, text }) => SIGNS[type] + text);
  if (signed.length <= LONGEST) return signed.join("\n");
  const left = signed.length - LONGEST;
  return [...signed.slice(0, LONGEST - END), `… ${left} more lines …`, ...signed.slice(-END)].join("\n");
}

/** Longer than any fence in what it holds. */
function fenceFor(quoted: string): string {
  const longest = Math.max(2, ...[...quoted.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(longest + 1);
}
