import { Monitor, Moon, Sun } from "lucide-react";
import { useStore } from "../../model/store";
import { Kbd } from "../../parts/Kbd";
import { Segments } from "../../parts/Segments";
import { showSheet } from "../shortcuts";
import { chooseTheme, theme } from "../theme";
import styles from "./ThemeSwitch.module.css";

const THEMES = [
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "system", label: "As the system", Icon: Monitor },
] as const;

/** Light, dark or as the system; and where the shortcuts are. */
export function ThemeSwitch() {
  const chosen = useStore(theme);
  return (
    <div className={styles.row}>
      <Segments label="Colours" value={chosen} options={THEMES} iconsOnly onChoose={chooseTheme} />
      <button type="button" className={styles.keys} onClick={() => showSheet(true)}>
        Shortcuts <Kbd keys={["?"]} />
      </button>
    </div>
  );
}
