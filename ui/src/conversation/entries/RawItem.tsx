import { Braces } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";

/** An item of a type that this page does not know: shown as it came. */
export function RawItem({ entry }: { entry: ItemEntry }) {
  const { item, streamed, done } = entry;
  const pieces = Object.keys(streamed).length > 0;
  return (
    <Block id={entry.key} icon={<Braces size={14} />} title={<code>{item.type}</code>} meta={done ? undefined : "running"}>
      <Json label="Item" value={item} />
      {pieces ? <Json label="Streamed" value={streamed} /> : null}
    </Block>
  );
}
