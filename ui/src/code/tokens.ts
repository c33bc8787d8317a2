// Highlighted code line by line: a diff has lines, and a comment or a text of the code may go over several.
import type { Tree } from "./highlight";

export interface Token {
  text: string;
  /** What it is; plain text is nothing. */
  classes: string | undefined;
}

type Node = Tree["children"][number];

export function tokenLines(tree: Tree): Token[][] {
  const lines: Token[][] = [[]];
  const put = (text: string, classes: string | undefined) => {
    const [first = "", ...rest] = text.split("\n");
    if (first !== "") lines.at(-1)?.push({ text: first, classes });
    for (const part of rest) lines.push(part === "" ? [] : [{ text: part, classes }]);
  };
  const walk = (node: Node, outer: string | undefined): void => {
    if (node.type === "text") put(node.value, outer);
    else if (node.type === "element") {
      const own = node.properties["className"];
      const classes = [outer, ...(Array.isArray(own) ? own : [])].filter(Boolean).join(" ");
      for (const child of node.children) walk(child as Node, classes);
    }
  };
  for (const child of tree.children) walk(child, undefined);
  return lines;
}
