import { memo } from "react";
import type { Entry } from "../../model/entry";
import { Agent } from "./Agent";
import { Approval } from "./Approval";
import { ItemView } from "./ItemView";
import { MarkLine } from "./MarkLine";
import { Message } from "./Message";
import { Plan } from "./Plan";
import { OwnTool } from "./OwnTool";

interface Props {
  entry: Entry;
  /** Why it ended badly stands elsewhere. */
  told?: boolean;
}

/** One entry, by its kind. It renders again only when it is another object. */
export const EntryView = memo(function EntryView({ entry, told = false }: Props) {
  switch (entry.kind) {
    case "message":
      return <Message entry={entry} told={told} />;
    case "item":
      return <ItemView entry={entry} />;
    case "approval":
      return <Approval entry={entry} />;
    case "tool":
      return <OwnTool entry={entry} />;
    case "plan":
      return <Plan entry={entry} />;
    case "agent":
      return <Agent entry={entry} />;
    case "mark":
      return <MarkLine entry={entry} />;
  }
});
