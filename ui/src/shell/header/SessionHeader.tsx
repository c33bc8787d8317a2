import { Folder, GitBranch } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../model/conversation";
import { useStore } from "../../model/store";
import { GLANCE_WORDS, glance, StateDot } from "../../parts/StateDot";
import { lastPart } from "../../lib/format";
import { branchOf, type KnownSession, projectOf } from "../known";
import { LabelChips } from "../labels/LabelChips";
import { SidebarButton } from "../SidebarButton";
import { firstWords, titleOf } from "../title";
import { Figures } from "./Figures";
import { Name } from "./Name";
import { SessionActions } from "./SessionActions";
import styles from "./SessionHeader.module.css";
import { SettingsMenu } from "./SettingsMenu";
import { Tabs } from "./Tabs";

interface Props {
  id: string;
  /** As the list knows it. */
  known: KnownSession | undefined;
  /** As it is shown: as it is now, or as it was. */
  conversation: Conversation;
  live: Conversation;
  view: "talk" | "changes" | "usage";
  /** The event after which it is shown, if it is not now. */
  at?: number | undefined;
}

/** Which session this is, how it does, and what can be changed about it. */
export function SessionHeader({ id, known, conversation, live, view, at }: Props) {
  const words = useStore(firstWords);
  const state = conversation.seq > 0 ? conversation.lifecycle : (known?.state ?? "starting");
  const branch = known && branchOf(known);
  const title = titleOf({ id, name: conversation.settings?.name ?? known?.name ?? null }, words);
  const seen = glance(state);
  const [renaming, setRenaming] = useState(false);
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <SidebarButton />
        <Name id={id} title={title} changing={renaming} onChanging={setRenaming} />
        <span className={styles.state} data-state={seen}>
          <StateDot state={state} />
          <span aria-hidden>{STATE_WORDS[state] ?? GLANCE_WORDS[seen]}</span>
        </span>
        <span className={styles.gap} />
        {known && <SessionActions session={known} title={title} onRename={() => setRenaming(true)} conversation={live} />}
      </div>
      <div className={styles.facts}>
        {known && (
          <span className={styles.fact} title={known.cwd}>
            <Folder size={13} aria-hidden /> <span className="visually-hidden">Directory</span> {lastPart(projectOf(known))}
          </span>
        )}
        {branch && (
          <span className={styles.fact} title={known?.git?.dirty ? `${branch}, with changes that are not committed` : branch}>
            <GitBranch size={13} aria-hidden /> <span className="visually-hidden">Branch</span> {branch}
            {known?.git?.dirty && <span aria-hidden>*</span>}
          </span>
        )}
        <LabelChips labels={known?.labels} />
        <fieldset disabled={at !== undefined} className={styles.settings}>
          <SettingsMenu id={id} settings={conversation.settings} />
        </fieldset>
      </div>
      <div className={styles.views}>
        <Tabs id={id} view={view} at={at} changed={conversation.changed.length} />
        <Figures conversation={conversation} />
      </div>
    </header>
  );
}

const STATE_WORDS: Partial<Record<Conversation["lifecycle"], string>> = {
  starting: "Starting",
  recovering: "Recovering",
};
