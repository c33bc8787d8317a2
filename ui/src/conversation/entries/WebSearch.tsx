import { Globe } from "lucide-react";
import type { ItemEntry } from "../../model/entry";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { fieldsOf, listOf, textOf, wordsOf } from "../../lib/fields";
import { Link } from "../markdown/Link";
import { QuietLine } from "./QuietLine";

/** A search in the web, or a page that was opened. */
export function WebSearch({ entry }: { entry: ItemEntry }) {
  const { item, done, key } = entry;
  const action = fieldsOf(item["action"]);
  const url = textOf(action["url"]);
  const query = textOf(item["query"]) ?? textOf(action["query"]) ?? wordsOf(action["queries"]).join(", ");
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
  const found = listOf(item["results"]).length;
  if (found === 0) return <QuietLine icon={<Globe size={14} />}>{words}</QuietLine>;
  return (
    <Block id={key} quiet icon={<Globe size={14} />} title={words} meta={found === 1 ? "1 result" : `${found} results`}>
      <Json label="Results" value={item["results"]} />
    </Block>
  );
}
