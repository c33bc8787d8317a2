// Light, dark, or as the system has it. Read before anything is drawn, so that nothing flashes.
import { Cell } from "../model/store";
import { remembered } from "./remembered";

export type Theme = "system" | "light" | "dark";

const store = remembered<Theme>("theme", "system");

export const theme = new Cell<Theme>(store.get());

export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  store.set(chosen);
  applyTheme();
}
