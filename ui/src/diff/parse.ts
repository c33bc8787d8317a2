// Diffs in either form: what git says of a whole session, and what Codex says of one change.
import gitdiff, { type File, type Hunk } from "gitdiff-parser";
import { type Fields, fieldsOf, listOf, textOf } from "../lib/fields";

export interface DiffedFile {
  path: string;
  /** Its name before, if that was another. */
  from?: string;
  kind: "added" | "removed" | "changed" | "renamed";
  binary: boolean;
  added: number;
  removed: number;
  hunks: Hunk[];
}

/** Lines of a file begin with a sign, so this is always the head of the next one. */
const HEADS = /^(?=diff --git )/m;

export function parseDiff(diff: string): DiffedFile[] {
  return diff
    .split(HEADS)
    .filter((part) => part.startsWith("diff --git "))
    .flatMap((part) => gitdiff.parse(part).map((file) => ofGit(file, part.split(/^@@ /m)[0] ?? "")));
}

const KINDS = { add: "added", delete: "removed", modify: "changed", rename: "renamed", copy: "added" } as const;

/** The parser does not look at what git says of a binary file, so the head is asked for it. */
function ofGit(file: File, head: string): DiffedFile {
  const binary = /^(Binary files .* differ|GIT binary patch)$/m.test(head);
  const gone = file.type === "delete" || /^deleted file mode/m.test(head);
  const made = file.type === "add" || /^new file mode/m.test(head);
  const renamed = file.type === "rename" || file.type === "copy";
  return {
    path: unquoted(gone ? file.oldPath : file.newPath),
    ...(renamed ? { from: unquoted(file.oldPath) } : {}),
    kind: gone ? "removed" : made ? "added" : KINDS[file.type],
    binary,
    ...counted(binary ? [] : file.hunks),
  };
}

/** One of Codex's changes, in its own fields. */
export interface Change {
  path: string;
  kind?: unknown;
  diff: string;
}

/** The changes of a `fileChange` item, or of an older request. */
export function changesOf(fields: Fields): Change[] {
  return listOf(fields["changes"]).flatMap((value) => {
    const { path, diff, kind } = fieldsOf(value);
    return typeof path === "string" ? [{ path, diff: typeof diff === "string" ? diff : "", kind }] : [];
  });
}

/** It has the text of a file that is new or gone, and hunks without a head of one that changed. */
export function parseChange({ path, kind, diff }: Change): DiffedFile {
  const what = textOf(kind) ?? fieldsOf(kind)["type"];
  const movedTo = textOf(fieldsOf(kind)["move_path"]);
  const common = { path: movedTo ?? path, binary: false, ...(movedTo ? { from: path } : {}) };
  if (what === "add" || what === "delete") {
    const hunks = diff.startsWith("@@") ? hunksOf(diff) : [wholeFile(diff, what)];
    return { ...common, kind: what === "add" ? "added" : "removed", ...counted(hunks) };
  }
  return { ...common, kind: movedTo ? "renamed" : "changed", ...counted(hunksOf(diff)) };
}

function hunksOf(diff: string): Hunk[] {
  if (diff.trim() === "") return [];
  const headed = diff.startsWith("diff --git") ? diff : `diff --git a/file b/file\n--- a/file\n+++ b/file\n${diff}`;
  return gitdiff.parse(headed)[0]?.hunks ?? [];
}

function wholeFile(text: string, kind: "add" | "delete"): Hunk {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const changes: Hunk["changes"] = lines.map((content, at) =>
    kind === "add"
      ? { type: "insert", isInsert: true, content, lineNumber: at + 1 }
      : { type: "delete", isDelete: true, content, lineNumber: at + 1 },
  );
  const count = lines.length;
  const [oldLines, newLines] = kind === "add" ? [0, count] : [count, 0];
  return { content: "", oldStart: 1, newStart: 1, oldLines, newLines, changes };
}

function counted(hunks: Hunk[]): { hunks: Hunk[]; added: number; removed: number } {
  const changes = hunks.flatMap((hunk) => hunk.changes);
  const added = changes.filter((change) => change.type === "insert").length;
  const removed = changes.filter((change) => change.type === "delete").length;
  return { hunks, added, removed };
}

/** Git puts names with unusual letters into quotes and writes their bytes in octal. */
function unquoted(path: string): string {
  const inner = /^"(?:[ab]\/)?(.*)"$/.exec(path)?.[1];
  if (inner === undefined) return path;
  const bytes: number[] = [];
  for (const [part, octal] of inner.matchAll(/\\([0-7]{3})|\\?[\s\S]/gu)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(part.replace(/^\\t$/, "\t").replace(/^\\(?=.)/, "")));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
