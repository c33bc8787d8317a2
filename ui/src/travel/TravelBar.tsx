import { History, Link2, Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Copy } from "../conversation/blocks/Copy";
import { address } from "../lib/route";
import type { Conversation } from "../model/conversation";
import { Button } from "../parts/Button";
import { Count } from "../parts/Count";
import { announce } from "../steer/inbox/announce";
import { backToNow } from "./entry";
import { useTravelKeys } from "./keys";
import { turnAt } from "./marks";
import { PlaceLine } from "./PlaceLine";
import { Scrubber } from "./Scrubber";
import { Transport } from "./Transport";
import styles from "./TravelBar.module.css";
import type { Journey } from "./useTravel";

interface Props {
  sessionId: string;
  journey: Journey;
  /** The session as it is now. */
  live: Conversation;
}

/** Stands where one writes, while the session is shown as it was. */
export function TravelBar({ sessionId, journey, live }: Props) {
  const { travel, seq, playing, marks } = journey;
  const bar = useRef<HTMLElement>(null);
  useTravelKeys(travel);
  useEffect(() => bar.current?.focus({ preventScroll: true }), []);
  const { turn, turns } = turnAt(marks, seq);
  useEffect(() => {
    if (playing) announce(`Turn ${turn} of ${turns}`);
  }, [playing, turn, turns]);
  const link = location.origin + address({ page: "session", id: sessionId, view: "talk", at: seq });
  return (
    <section ref={bar} tabIndex={-1} className={styles.bar} aria-label="Time travel">
      <div className={styles.where}>
        <History size={15} aria-hidden className={styles.icon} />
        <PlaceLine journey={journey} />
      </div>
      <Scrubber journey={journey} />
      <div className={styles.row}>
        <Transport journey={journey} />
        <span className={styles.space} />
        <Copy text={link} label="Copy link" icon={<Link2 size={16} aria-hidden />} />
        <Button look="primary" className={styles.back} aria-keyshortcuts="Escape" onClick={backToNow}>
          <Undo2 size={14} aria-hidden /> Back to now
          <Count number={live.waiting.length} label={live.waiting.length === 1 ? "waits for you" : "wait for you"} />
        </Button>
      </div>
    </section>
  );
}
