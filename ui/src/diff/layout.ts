// Lines under each other, or before and after beside each other.
export type Layout = "unified" | "split";
