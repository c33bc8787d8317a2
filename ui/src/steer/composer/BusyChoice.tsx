import styles from "./BusyChoice.module.css";
import { WAYS, type Way } from "./busy";

interface Props {
  way: Way;
  onChoose(way: Way): void;
}

/** While the agent works: how the next message is sent. */
export function BusyChoice({ way, onChoose }: Props) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">While the agent works, a message is sent to</legend>
      {WAYS.map(({ way: one, label, means }) => (
        <label key={one} className={styles.way} title={means}>
          <input type="radio" name="busy-way" className="visually-hidden" checked={way === one} onChange={() => onChoose(one)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
