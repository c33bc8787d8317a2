import { Image } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { textOf } from "../../lib/fields";

/** A picture that the agent looked at or made. It lies on the gateway's machine, so it is named and not shown. */
export function ImageView({ entry }: { entry: ItemEntry }) {
  const { item } = entry;
  const path = textOf(item["path"]) ?? textOf(item["savedPath"]);
  const verb = item.type === "imageView" ? "Looked at" : entry.done ? "Made a picture" : "Making a picture";
  return (
    <Block id={entry.key} quiet icon={<Image size={14} />} title={<>{verb} {path ? <code>{path}</code> : null}</>}>
      <Json label="Item" value={item} />
    </Block>
  );
}
