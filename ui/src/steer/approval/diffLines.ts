// The lines of a change. Codex gives a unified diff for a file that changes, and the bare text of one that comes or goes.
import { type Change, fieldsOf, textOf } from "./request";

export interface DiffLine {
  mark: "+" | "-" | " " | "@";
  text: string;
}

export type Kind = "add" | "delete" | "update";

export function kindOf({ kind }: Change): Kind {
  const type = typeof kind === "string" ? kind : fieldsOf(kind)["type"];
  return type === "add" || type === "delete" ? type : "update";
}

/** Where an updated file is moved to. */
export const movedTo = ({ kind }: Change): string | undefined => textOf(fieldsOf(kind)["move_path"]);

export function diffLines(change: Change): DiffLine[] {
  const kind = kindOf(change);
  const lines = change.diff.replace(/\n$/, "").split("\n");
  const isUnified = lines.some((line) => line.startsWith("@@"));
  if (kind !== "update" && !isUnified) {
    if (change.diff === "") return [];
    return lines.map((text) => ({ mark: kind === "add" ? "+" : "-", text }));
  }
  return lines.filter((line) => !/^(---|\+\+\+|diff |index )/.test(line)).map(marked);
}

function marked(line: string): DiffLine {
  if (line.startsWith("@@")) return { mark: "@", text: line };
  if (line.startsWith("+")) return { mark: "+", text: line.slice(1) };
  if (line.startsWith("-")) return { mark: "-", text: line.slice(1) };
  return { mark: " ", text: line.startsWith(" ") ? line.slice(1) : line };
}

export const counted = (lines: readonly DiffLine[], mark: DiffLine["mark"]): number => lines.filter((line) => line.mark === mark).length;
