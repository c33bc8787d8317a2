import { useEffect, useRef } from "react";
import { NameField } from "../NameField";
import styles from "./Name.module.css";

interface Props {
  id: string;
  title: string;
  changing: boolean;
  onChanging(changing: boolean): void;
}

/** Its name; a click, Enter on it, or F2 makes it a field. */
export function Name({ id, title, changing, onChanging }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key !== "F2" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      onChanging(true);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [onChanging]);
  const done = (byKey: boolean) => {
    onChanging(false);
    if (byKey) requestAnimationFrame(() => button.current?.focus());
  };
  if (changing) return <NameField id={id} title={title} className={styles.field} onDone={done} />;
  return (
    <h1 className={styles.heading}>
      <button ref={button} type="button" className={styles.name} title="Rename (F2)" onClick={() => onChanging(true)}>
        {title}
      </button>
    </h1>
  );
}
