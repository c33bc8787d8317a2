import { useCombobox } from "downshift";
import { Tag } from "lucide-react";
import { type ChangeEvent, type KeyboardEvent, useId, useMemo, useState } from "react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { Chip } from "../../parts/Chip";
import { Field } from "../../parts/Field";
import input from "../../parts/input.module.css";
import options from "../options.module.css";
import { type Labels, labelsInUse, labelWords, parseLabel, suggestions, withLabel, withoutLabel } from "./labels";
import styles from "./LabelsField.module.css";

interface Props {
  labels: Labels;
  error?: string | undefined;
  onChange(labels: Labels): void;
}

const SHOWN = 20;

/** Labels as chips, and a field for one more: Enter or a comma adds it, Backspace in the empty field takes the last away. */
export function LabelsField({ labels, error, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const sessions = useStore(fleet, (state) => state.sessions);
  const known = useMemo(() => labelsInUse(sessions.values()), [sessions]);
  const choices = suggestions(known, labels, typed).slice(0, SHOWN);
  const add = (text: string) => {
    onChange(withLabel(labels, text));
    setTyped("");
  };
  const box = useCombobox({
    id,
    inputId: `${id}-input`,
    items: choices,
    inputValue: typed,
    selectedItem: null,
    itemToString: (item) => item ?? "",
    onSelectedItemChange: ({ selectedItem }) => selectedItem && add(selectedItem),
    stateReducer: (_, { type, changes }) => {
      const chosen = type === useCombobox.stateChangeTypes.ItemClick || type === useCombobox.stateChangeTypes.InputKeyDownEnter;
      if (chosen) return { ...changes, inputValue: "" };
      // Leaving the field is no choice.
      return type === useCombobox.stateChangeTypes.InputBlur ? { ...changes, selectedItem: null } : changes;
    },
  });
  const change = ({ target: { value } }: ChangeEvent<HTMLInputElement>) => {
    if (value.includes(",")) add(value);
    else setTyped(value);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = Object.keys(labels).at(-1);
    if (event.key === "Enter" && typed.trim() && box.highlightedIndex < 0) {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "" && last !== undefined) onChange(withoutLabel(labels, last));
    // The menu closes first; the next Escape is the dialog's.
    else if (event.key === "Escape" && box.isOpen && choices.length > 0) event.preventDefault();
  };
  const open = box.isOpen && choices.length > 0;
  return (
    <Field label="Labels" help="A word, or a name and a value: `urgent`, `team:blue`. Enter adds it." error={error}>
      {(ids) => (
        <div className={styles.box}>
          <div className={`${input["input"]} ${styles.inside}`}>
            {Object.entries(labels).map(([name, value]) => (
              <Chip key={name} words={labelWords(name, value)} remove={`Take the label ${labelWords(name, value)} away`} onRemove={() => onChange(withoutLabel(labels, name))} />
            ))}
            <input
              {...box.getInputProps({ "aria-labelledby": undefined, spellCheck: false, autoComplete: "off", onChange: change, onKeyDown: key })}
              {...ids}
              className={styles.input}
              data-first
              maxLength={120}
              placeholder={Object.keys(labels).length === 0 ? "team:blue" : ""}
              onBlur={() => parseLabel(typed) && add(typed)}
            />
          </div>
          <ul {...box.getMenuProps({ "aria-label": "Labels in use" })} className={`${options["menu"]} ${styles.menu}`} hidden={!open}>
            {open &&
              choices.map((item, index) => (
                <li key={item} {...box.getItemProps({ item, index })} className={options["item"]} data-on={box.highlightedIndex === index || undefined}>
                  <Tag size={13} aria-hidden />
                  {item}
                </li>
              ))}
          </ul>
        </div>
      )}
    </Field>
  );
}
