import { useEffect, useRef } from "react";
import type { Suggestion } from "./suggest";
import styles from "./Suggestions.module.css";

interface Props {
  id: string;
  list: readonly Suggestion[];
  active: number;
  label: string;
  onPick(suggestion: Suggestion): void;
  onActive(index: number): void;
}

export const optionId = (list: string, index: number): string => `${list}-${index}`;

/** The focus stays in the text: the list is moved through from there. */
export function Suggestions({ id, list, active, label, onPick, onActive }: Props) {
  const box = useRef<HTMLUListElement>(null);
  useEffect(() => {
    box.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active, list]);
  return (
    <ul ref={box} id={id} role="listbox" aria-label={label} className={styles.list}>
      {list.map((suggestion, index) => (
        <li
          key={suggestion.insert}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          className={styles.option}
          onPointerMove={() => onActive(index)}
          // Before the text loses the focus.
          onPointerDown={(event) => (event.preventDefault(), onPick(suggestion))}
        >
          <span className={styles.label}>{suggestion.label}</span>
          {suggestion.detail ? <span className={styles.detail}>{suggestion.detail}</span> : null}
        </li>
      ))}
    </ul>
  );
}
