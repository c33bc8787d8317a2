import type { DiffedFile } from "./parse";

const VERBS = { added: "New", removed: "Removed", changed: "Changed", renamed: "Moved" } as const;

/** What happened to which file. */
export function ChangeTitle({ file, cwd }: { file: DiffedFile; cwd: string | undefined }) {
  return (
    <>
      {VERBS[file.kind]} {file.from ? <code>{within(file.from, cwd)} → </code> : null}
      <code title={file.path}>{within(file.path, cwd)}</code>
    </>
  );
}

/** A path as seen from the session's directory. */
export const within = (path: string, cwd: string | undefined): string =>
  cwd && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
