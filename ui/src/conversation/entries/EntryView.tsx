import { memo } from "react";
import type { Entry, ItemEntry } from "../../model/entry";
import { Agent } from "./Agent";
import { Approval } from "./Approval";
import { ItemView } from "./ItemView";
import { MarkLine } from "./MarkLine";
import { Message } from "./Message";
import { Plan } from "./Plan";
import { OwnTool } from "./OwnTool";
import { WithCopy } from "./WithCopy";

interface Props {
  entry: Entry;
  /** Why it ended badly stands elsewhere. */
  told?: boolean;
}

/** One entry, by its kind. It renders again only when it is another object. */
export const EntryView = memo(function EntryView({ entry, told = false }: Props) {
  switch (entry.kind) {
    case "message":
      return (
        <WithCopy entry={entry}>
          <Message entry={entry} told={told} />
        </WithCopy>
      );
    case "item":
      return isSaid(entry) ? (
        <WithCopy entry={entry}>
          <ItemView entry={entry} />
        </WithCopy>
      ) : (
        <ItemView entry={entry} />
      );
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

const isSaid = ({ item, done }: ItemEntry): boolean => done && item.type === "agentMessage";
