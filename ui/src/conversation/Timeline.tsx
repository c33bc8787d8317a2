import { useEffect, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useMoment } from "../lib/moment";
import type { Conversation } from "../model/conversation";
import { Announcer } from "./Announcer";
import { JumpToEnd } from "./JumpToEnd";
import { RowView } from "./RowView";
import { type Row, rowOfEvent } from "./rows";
import { useFollow } from "./useFollow";
import { useLinkedEvent } from "./useLinkedEvent";
import { useSoughtComment } from "./useSoughtComment";
import { useTurnKeys } from "./useTurnKeys";
import { Working } from "./Working";
import styles from "./Timeline.module.css";

interface Props {
  rows: readonly Row[];
  conversation: Conversation;
}

/** A list of any length: only what is in view exists. */
export function Timeline({ rows, conversation }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { following, scrolled, toEnd, letGo } = useFollow(scroller);
  const show = (index: number) => {
    letGo();
    list.current?.scrollToIndex(index, { align: "start", offset: -16 });
  };
  const linked = useLinkedEvent(rows, conversation, show);
  useSoughtComment(rows, show);
  useTurnKeys(rows, { list, scroller, show, toEnd });

  // Of the past, the row of its last event is marked, and nothing is read out.
  const past = useMoment() !== undefined;
  const marked = past ? rows[rowOfEvent(rows, conversation.seq, conversation.entries)]?.key : linked;

  // How many rows the reader has seen the end of.
  const seen = useRef(rows.length);
  useEffect(() => {
    if (following) seen.current = rows.length;
  }, [following, rows.length]);

  return (
    <div className={styles.frame}>
      <div ref={scroller} className={styles.scroller} role="region" aria-label="Conversation" tabIndex={0} onScroll={scrolled}>
        {/* A log, but not one that reads out every piece that comes: the announcer does, when an answer is whole. */}
        <div className={styles.content} role="log" aria-live="off">
          <Virtualizer ref={list} scrollRef={scroller} startMargin={16} bufferSize={600} data={rows}>
            {(row) => <RowView key={row.key} row={row} linked={row.key === marked} />}
          </Virtualizer>
          <Working conversation={conversation} />
        </div>
      </div>
      {following ? null : <JumpToEnd news={Math.max(0, rows.length - seen.current)} onJump={toEnd} />}
      {past ? null : <Announcer conversation={conversation} />}
    </div>
  );
}
