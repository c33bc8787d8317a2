import { useCombobox } from "downshift";
import { Clock, Folder } from "lucide-react";
import { useId, useMemo } from "react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { Field } from "../../parts/Field";
import input from "../../parts/input.module.css";
import { plainPath } from "./choices";
import options from "../options.module.css";
import styles from "./DirectoryField.module.css";
import { recentDirectories } from "./recent";
import { usePlaces } from "./usePlaces";

interface Props {
  value: string;
  error: string | undefined;
  autoFocus: boolean;
  onChange(value: string): void;
}

const SHOWN = 50;

/** A directory, completed as one types; those where somebody worked come first. */
export function DirectoryField({ value, error, autoFocus, onChange }: Props) {
  const id = useId();
  const sessions = useStore(fleet, (state) => state.sessions);
  const { paths, problem } = usePlaces(value);
  const choices = useMemo(() => {
    const typed = plainPath(value).toLowerCase();
    const recent = recentDirectories(sessions.values()).filter((path) => path.toLowerCase().includes(typed) && path !== plainPath(value));
    const others = paths.filter((path) => !recent.includes(path));
    return [...recent.slice(0, 6).map((path) => ({ path, recent: true })), ...others.map((path) => ({ path, recent: false }))].slice(0, SHOWN);
  }, [sessions, paths, value]);
  const box = useCombobox({
    id,
    inputId: `${id}-input`,
    items: choices,
    inputValue: value,
    itemToString: (item) => item?.path ?? "",
    selectedItem: null,
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onChange(`${selectedItem.path}/`),
    stateReducer: (_, { type, changes }) => {
      const chosen = type === useCombobox.stateChangeTypes.ItemClick || type === useCombobox.stateChangeTypes.InputKeyDownEnter;
      // What is in the directory comes next.
      if (chosen && changes.selectedItem) return { ...changes, isOpen: true, highlightedIndex: -1 };
      // Leaving the field is no choice.
      if (type === useCombobox.stateChangeTypes.InputBlur) return { ...changes, selectedItem: null };
      return changes;
    },
  });
  const open = box.isOpen && choices.length > 0;
  return (
    <Field label="Directory" help={problem ? `Completion: ${problem}` : "Where it works, as an absolute path."} error={error}>
      {(ids) => (
        <div className={styles.box}>
          <input
            {...box.getInputProps({
              "aria-labelledby": undefined,
              required: true,
              spellCheck: false,
              autoComplete: "off",
              // Not when the box tells of it, which is later: the next letter would come behind the old text.
              onChange: ({ currentTarget }) => onChange(currentTarget.value),
            })}
            {...ids}
            autoFocus={autoFocus}
            placeholder="/srv/project"
            className={`${input["input"]} ${styles.path}`}
          />
          <ul {...box.getMenuProps({ "aria-label": "Directories" })} className={options["menu"]} hidden={!open}>
            {open &&
              choices.map((item, index) => (
                <li key={item.path} {...box.getItemProps({ item, index })} className={options["item"]} data-on={box.highlightedIndex === index || undefined}>
                  {item.recent ? <Clock size={13} aria-hidden /> : <Folder size={13} aria-hidden />}
                  <span className={styles.text}>{item.path}</span>
                </li>
              ))}
          </ul>
        </div>
      )}
    </Field>
  );
}
