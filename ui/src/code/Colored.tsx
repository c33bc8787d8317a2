import type { ReactNode } from "react";
import type { Tree } from "./highlight";
import "./colors.css";

type Node = Tree["children"][number];

/** A highlighted tree as elements with classes. */
export function Colored({ tree }: { tree: Tree }) {
  return <>{tree.children.map(element)}</>;
}

function element(node: Node, at: number): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const classes = node.properties["className"];
  return (
    <span key={at} className={Array.isArray(classes) ? classes.join(" ") : undefined}>
      {node.children.map((child, index) => element(child as Node, index))}
    </span>
  );
}
