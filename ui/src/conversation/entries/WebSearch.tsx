import { Globe } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { fields, list, text, texts } from "../fields";
import { Link } from "../markdown/Link";
import { QuietLine } from "./QuietLine";

/** A search in the web, or a page that was opened. */
export function WebSearch({ entry }: { entry: ItemEntry }) {
  const { item, done, key } = entry;
  const action = fields(item["action"]);
  const url = text(action["url"]);
  const query = text(item["query"]) ?? text(action["query"]) ?? texts(action["queries"]).join(", ");
  const words = url ? (
    <>
      {done ? "Opened" : "Opening"} <Link href={url}>{url}</Link>
    </>
  ) : (
    <>
      {done ? "Searched the web" : "Searching the web"}
      {query ? <>: {query}</> : null}
    </>
  );
  if (list(item["results"]).length === 0) return <QuietLine icon={<Globe size={14} />}>{words}</QuietLine>;
  return (
    <Block id={key} quiet icon={<Globe size={14} />} title={words} meta={`${list(item["results"]).length} results`}>
      <Json label="Results" value={item["results"]} />
    </Block>
  );
}
