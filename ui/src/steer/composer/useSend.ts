// What happens on "send": a command is done, anything else is said.
import { useState } from "react";
import { parseCommand } from "./commands";
import { send } from "./deliver";
import { clear, draftOf, isEmpty, setText } from "./drafts";
import { runCommand } from "./runCommand";
import type { Way } from "./busy";

export function useSend(session: string, way: Way | undefined, help: () => void) {
  const [objection, setObjection] = useState<string>();
  const submit = (): void => {
    const draft = draftOf(session).get();
    if (isEmpty(draft)) return;
    const parsed = draft.pictures.length > 0 ? ({ is: "message" } as const) : parseCommand(draft.text);
    setObjection(undefined);
    switch (parsed.is) {
      case "message":
        clear(session);
        return void send(session, draft, way);
      case "unknown":
        return setObjection(`There is no command /${parsed.name}. Type / to see all; to send it as text, begin with a space.`);
      case "incomplete":
        return setObjection(`/${parsed.command.name} needs a ${parsed.command.argument?.toLowerCase()} behind it.`);
      case "command":
        clear(session);
        if (parsed.command.name === "help") return help();
        return void runCommand(session, parsed.command.name, parsed.argument).then((done) => {
          if (!done && isEmpty(draftOf(session).get())) setText(session, draft.text);
        });
    }
  };
  return { submit, objection, dismiss: () => setObjection(undefined) };
}
