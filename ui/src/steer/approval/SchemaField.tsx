import { Field, type FieldIds } from "../../parts/Field";
import input from "../../parts/input.module.css";
import styles from "./Choice.module.css";
import type { FormField, Value } from "./schema";

interface Props {
  field: FormField;
  value: Value;
  objection: string | undefined;
  onChange(value: Value): void;
}

const INPUTS: Record<string, string> = { email: "email", uri: "url", date: "date", "date-time": "datetime-local", password: "password" };

/** One field of a form, with the control that fits its kind. */
export function SchemaField(props: Props) {
  const { field, objection } = props;
  const { label, help, required, type } = field;
  if (type === "boolean") return <YesNo {...props} />;
  return (
    <Field label={label} help={help} optional={!required} error={objection} group={type === "choices"}>
      {(ids) => <Control {...props} ids={ids} />}
    </Field>
  );
}

function YesNo({ field, value, onChange }: Props) {
  return (
    <label className={styles.choice}>
      <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
      <span>{field.label}</span>
      {field.help ? <span className={styles.description}>{field.help}</span> : null}
    </label>
  );
}

function Control({ field, value, onChange, ids }: Props & { ids: FieldIds }) {
  const text = typeof value === "string" ? value : "";
  const chosen = typeof value === "object" ? value : [];
  switch (field.type) {
    case "choice":
      return (
        <select {...ids} className={input["input"]} value={text} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose…</option>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case "choices":
      return field.options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, option.value] : chosen.filter((other) => other !== option.value))
            }
          />
          <span>{option.label}</span>
        </label>
      ));
    case "json":
      return <textarea {...ids} rows={3} className={input["input"]} value={text} onChange={(event) => onChange(event.target.value)} />;
    default:
      return (
        <input
          {...ids}
          type={field.type === "text" ? (INPUTS[field.format ?? ""] ?? "text") : "text"}
          inputMode={field.type === "text" ? undefined : "decimal"}
          autoComplete="off"
          className={input["input"]}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
