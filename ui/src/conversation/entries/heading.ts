// The first words of a text of thoughts: its heading, if it has one.

export function heading(thought: string): string {
  const first = thought.split("\n").find((line) => line.trim() !== "") ?? "";
  return first
    .replace(/^#+\s*/, "")
    .replace(/\*\*|__|`/g, "")
    .trim();
}
