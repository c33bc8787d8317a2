// A profile of permissions in plain words.
import { type Fields, fieldsOf, listOf, textOf, wordsOf } from "../../lib/fields";

export interface Permission {
  what: string;
  /** A path or a pattern, if it is about one. */
  where?: string;
}

export function permissionsOf(profile: Fields): Permission[] {
  const files = fieldsOf(profile["fileSystem"]);
  const known = new Set(["network", "fileSystem"]);
  const others = Object.entries(profile).filter(([name, value]) => !known.has(name) && value !== null && value !== undefined);
  return [
    ...(fieldsOf(profile["network"])["enabled"] === true ? [{ what: "Use the network" }] : []),
    ...wordsOf(files["read"]).map((where) => ({ what: "Read", where })),
    ...wordsOf(files["write"]).map((where) => ({ what: "Read and write", where })),
    ...listOf(files["entries"]).flatMap(entry),
    // What this page does not know is shown as it is: nobody grants what they cannot see.
    ...others.map(([name, value]) => ({ what: name, where: JSON.stringify(value) })),
  ];
}

const ACCESS: Record<string, string> = { read: "Read", write: "Read and write", none: "No access to" };

function entry(value: unknown): Permission[] {
  const { path, access } = fieldsOf(value);
  const where = placeOf(path);
  return where ? [{ what: ACCESS[String(access)] ?? String(access), where }] : [];
}

function placeOf(path: unknown): string | undefined {
  if (typeof path === "string") return path;
  const fields = fieldsOf(path);
  const special = fieldsOf(fields["value"]);
  return textOf(fields["path"]) ?? textOf(fields["pattern"]) ?? textOf(special["kind"]) ?? (path ? JSON.stringify(path) : undefined);
}
