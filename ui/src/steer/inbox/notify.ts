// Notifications of the browser: asked for by a click, and only by one.
import { forGood, keep, recall } from "../composer/kept";
import { Cell } from "../../model/store";

export type Telling = "unsupported" | "blocked" | "off" | "on";

const KEY = "notify";

function now(): Telling {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && recall<boolean>(forGood, KEY) === true ? "on" : "off";
}

export const telling = new Cell<Telling>(now());

export async function turnOn(): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission === "granted") keep(forGood, KEY, true);
  telling.set(now());
}

export function turnOff(): void {
  keep(forGood, KEY, undefined);
  telling.set(now());
}
