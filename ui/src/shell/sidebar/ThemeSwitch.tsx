import { Monitor, Moon, Sun } from "lucide-react";
import { useStore } from "../../model/store";
import { Kbd } from "../../parts/Kbd";
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
      <div role="radiogroup" aria-label="Colours" className={styles.switch}>
        {THEMES.map(({ value, label, Icon }) => (
          <label key={value} className={styles.choice} title={label}>
            <input type="radio" name="theme" className="visually-hidden" checked={chosen === value} onChange={() => chooseTheme(value)} />
            <Icon size={14} aria-hidden />
            <span className="visually-hidden">{label}</span>
          </label>
        ))}
      </div>
      <button type="button" className={styles.keys} onClick={() => showSheet(true)}>
        Shortcuts <Kbd keys={["?"]} />
      </button>
    </div>
  );
}
