import { Bell, BellOff } from "lucide-react";
import { useStore } from "../../model/store";
import { Button } from "../../parts/Button";
import styles from "./NotifyButton.module.css";
import { telling, turnOff, turnOn } from "./notify";

/** Whether the browser tells when something waits and the page is not looked at. */
export function NotifyButton() {
  const state = useStore(telling);
  if (state === "unsupported") return null;
  if (state === "blocked") {
    return <p className={styles.blocked}>Notifications are blocked. Allow them for this page in the browser's settings.</p>;
  }
  const on = state === "on";
  const Icon = on ? BellOff : Bell;
  return (
    <Button onClick={() => (on ? turnOff() : void turnOn())}>
      <Icon size={14} aria-hidden /> {on ? "Stop telling me" : "Tell me when something waits"}
    </Button>
  );
}
