// What had changed by a moment, line by line: the changes that the agent had made by then, as its events have them. Git keeps no
// state for each event; what a command changed is therefore known by its counts only.
import type { FileDiff } from "../api/types";
import { within } from "../diff/ChangeTitle";
import { changesOf, type DiffedFile, parseChange } from "../diff/parse";
import type { Conversation } from "../model/conversation";
import type { CodexItem, Entry } from "../model/entry";

/** One change of a file. */
export interface Made {
  key: string;
  at: string;
  diff: DiffedFile;
}

export interface ChangedThen {
  /** As seen from the session's directory. */
  path: string;
  added: number;
  removed: number;
  /** In their order; none if a command changed it. */
  made: readonly Made[];
}

type Needed = Pick<Conversation, "entries" | "changed" | "settings">;

/** Every file that had changed, by its path. */
export function changedThen({ entries, changed, settings }: Needed): ChangedThen[] {
  const cwd = settings?.cwd;
  const made = new Map<string, Made[]>();
  for (const entry of [...entries.values()].filter(isDone).sort((one, other) => one.seq - other.seq)) {
    for (const diff of diffsOf(entry.item)) {
      const path = within(diff.path, cwd);
      const one = { key: `${entry.key}:${diff.path}`, at: entry.completedAt ?? entry.at, diff };
      made.set(path, [...(made.get(path) ?? []), one]);
    }
  }
  const counted = new Map(changed.map((file) => [within(file.path, cwd), file]));
  const paths = [...new Set([...made.keys(), ...counted.keys()])].sort((one, other) => one.localeCompare(other));
  return paths.map((path) => file(path, made.get(path) ?? [], counted.get(path)));
}

const isDone = (entry: Entry): entry is Extract<Entry, { kind: "item" }> =>
  entry.kind === "item" && entry.done && entry.item.type === "fileChange" && (entry.item["status"] ?? "completed") === "completed";

/** What the session says of the file in all is right, if it says something: changes may undo each other. */
function file(path: string, made: readonly Made[], said: FileDiff | undefined): ChangedThen {
  const sum = (of: "added" | "removed") => said?.[of] ?? made.reduce((total, { diff }) => total + diff[of], 0);
  return { path, added: sum("added"), removed: sum("removed"), made };
}

/** Read once: a replay asks for them with every event. */
const read = new WeakMap<CodexItem, readonly DiffedFile[]>();

function diffsOf(item: CodexItem): readonly DiffedFile[] {
  const known = read.get(item);
  if (known) return known;
  const diffs = changesOf(item).map(parseChange);
  read.set(item, diffs);
  return diffs;
}
