import { Image } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { usePlace } from "../context";
import { textOf } from "../../lib/fields";
import { lastPart } from "../../lib/format";
import { pictureOfEvent } from "../../model/files";
import { Pictures } from "../pictures/Pictures";
import { ofBytes, ofPath, withoutBytes } from "../pictures/sources";
import { howItWent } from "./ended";
import styles from "./withPictures.module.css";

/** A picture that the agent looked at or made, in the item itself, in the gateway's store, or somewhere on the gateway's machine. */
export function ImageView({ entry }: { entry: ItemEntry }) {
  const { item } = entry;
  const { sessionId } = usePlace();
  const path = textOf(item["path"]) ?? textOf(item["savedPath"]);
  const kept = ofBytes(textOf(item["result"])) ?? ofPath(sessionId, path);
  const src = kept ?? (path ? pictureOfEvent(sessionId, entry.itemSeq ?? entry.seq) : undefined);
  const looked = item.type === "imageView";
  const verb = looked ? "Looked at" : entry.done ? "Made a picture" : "Making a picture";
  const alt = textOf(item["revisedPrompt"]) ?? (path ? lastPart(path) : "Picture");
  return (
    <div className={styles.with}>
      <Block
        id={entry.key}
        quiet
        icon={<Image size={14} />}
        tone={howItWent(entry).tone}
        title={<>{verb} {kept && looked ? "a picture" : path ? <code>{path}</code> : null}</>}
      >
        <Json label="Item" value={withoutBytes(item)} />
      </Block>
      {src ? <Pictures pictures={[{ src, alt }]} /> : null}
    </div>
  );
}
