import { Segments } from "../../parts/Segments";
import { WAYS, type Way } from "./busy";

interface Props {
  way: Way;
  onChoose(way: Way): void;
}

const CHOICES = WAYS.map(({ way, label, means }) => ({ value: way, label, title: means }));

/** While the agent works: how the next message is sent. */
export function BusyChoice({ way, onChoose }: Props) {
  return <Segments label="While the agent works, a message is sent to" value={way} options={CHOICES} onChoose={onChoose} />;
}
