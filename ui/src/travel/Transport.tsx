import { ChevronFirst, ChevronLast, Pause, Play, StepBack, StepForward } from "lucide-react";
import { Button, IconButton } from "../parts/Button";
import { QuietSelect } from "../parts/QuietSelect";
import { SPEEDS, type Speed } from "./playing";
import styles from "./Transport.module.css";
import type { Journey } from "./useTravel";

const CHOICES = SPEEDS.map((speed) => ({ value: String(speed), label: `${speed}×` }));

/** Play, step, and how fast. */
export function Transport({ journey: { travel, playing, speed, seq, last } }: { journey: Journey }) {
  const first = seq <= 1;
  const end = seq >= last;
  return (
    <div className={styles.transport} role="group" aria-label="Replay">
      <IconButton label="Turn before" aria-keyshortcuts="<" disabled={first} onClick={() => travel.turn(-1)}>
        <ChevronFirst size={16} aria-hidden />
      </IconButton>
      <IconButton label="Event before" aria-keyshortcuts="," disabled={first} onClick={() => travel.step(-1)}>
        <StepBack size={16} aria-hidden />
      </IconButton>
      <Button className={styles.play} aria-keyshortcuts="p" disabled={last === 0} onClick={travel.toggle}>
        {playing ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        {playing ? "Pause" : "Play"}
      </Button>
      <IconButton label="Event after" aria-keyshortcuts="." disabled={end} onClick={() => travel.step(1)}>
        <StepForward size={16} aria-hidden />
      </IconButton>
      <IconButton label="Turn after" aria-keyshortcuts=">" disabled={end} onClick={() => travel.turn(1)}>
        <ChevronLast size={16} aria-hidden />
      </IconButton>
      <span className={styles.speed}>
        <QuietSelect label="Speed" value={String(speed)} options={CHOICES} onChange={(value) => travel.setSpeed(Number(value) as Speed)} />
      </span>
    </div>
  );
}
