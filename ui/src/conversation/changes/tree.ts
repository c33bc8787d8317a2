// Changed files as a tree of folders. A folder that holds one folder only is written as one: `src/api`.
import type { DiffedFile } from "../../diff/parse";

export interface Folder {
  name: string;
  path: string;
  folders: Folder[];
  files: DiffedFile[];
}

export function treeOf(files: readonly DiffedFile[]): Folder {
  const root: Folder = { name: "", path: "", folders: [], files: [] };
  for (const file of files) {
    let folder = root;
    for (const part of file.path.split("/").slice(0, -1)) folder = inside(folder, part);
    folder.files.push(file);
  }
  return { ...sorted(root), name: "" };
}

function inside(folder: Folder, name: string): Folder {
  const known = folder.folders.find((inner) => inner.name === name);
  if (known) return known;
  const made: Folder = { name, path: folder.path ? `${folder.path}/${name}` : name, folders: [], files: [] };
  folder.folders.push(made);
  return made;
}

function sorted(folder: Folder): Folder {
  const folders = folder.folders.map(sorted).map(joined).sort((a, b) => a.name.localeCompare(b.name));
  return { ...folder, folders, files: folder.files.toSorted((a, b) => a.path.localeCompare(b.path)) };
}

function joined(folder: Folder): Folder {
  const [only] = folder.folders;
  if (!only || folder.folders.length > 1 || folder.files.length > 0) return folder;
  return { ...only, name: `${folder.name}/${only.name}` };
}

/** The files in the order in which the tree shows them. */
export const inOrder = (folder: Folder): DiffedFile[] => [...folder.folders.flatMap(inOrder), ...folder.files];
