import { CirclePlay, Download, FileCode, History, Power, ScanSearch, Shrink } from "lucide-react";
import { attempt } from "../../lib/notices";
import type { Conversation } from "../../model/conversation";
import { control } from "../../model/actions";
import { Button } from "../../parts/Button";
import type { MenuItem } from "../../parts/Menu";
import { travelFromNow } from "../../travel/entry";
import type { KnownSession } from "../known";
import { SessionMenu } from "../SessionMenu";
import { saveAsJson, saveAsMarkdown } from "./save";
import styles from "./SessionActions.module.css";

interface Props {
  session: KnownSession;
  title: string;
  onRename(): void;
  conversation: Conversation;
}

/** What can be done with the session in focus. A stop of the running turn is the composer's. */
export function SessionActions({ session, title, onRename, conversation }: Props) {
  const { id } = session;
  const state = conversation.lifecycle;
  const ended = state === "stopped" || state === "failed";
  const say = (what: string, which: "start" | "stop" | "compact" | "review") => void attempt(what, () => control(id, which));
  const more: MenuItem[] = [
    { label: "Compact", icon: <Shrink size={14} aria-hidden />, act: () => say("It was not compacted", "compact") },
    { label: "Review changes", icon: <ScanSearch size={14} aria-hidden />, act: () => say("The review did not start", "review") },
    { label: "Time travel", icon: <History size={14} aria-hidden />, act: () => travelFromNow(id) },
    { label: "Export as markdown", icon: <Download size={14} aria-hidden />, act: () => void attempt("It was not exported", () => saveAsMarkdown(id, title, conversation)) },
    { label: "Export as JSON", icon: <FileCode size={14} aria-hidden />, act: () => void attempt("It was not exported", () => saveAsJson(id, title)) },
    ended
      ? { label: "Start", icon: <CirclePlay size={14} aria-hidden />, act: () => say("It did not start", "start") }
      : { label: "Stop session", icon: <Power size={14} aria-hidden />, act: () => say("It was not stopped", "stop") },
  ];
  return (
    <span className={styles.actions}>
      {ended && (
        <Button onClick={() => say("It did not start", "start")}>
          <CirclePlay size={14} aria-hidden /> Start
        </Button>
      )}
      <SessionMenu session={session} title={title} onRename={onRename} more={more} />
    </span>
  );
}
