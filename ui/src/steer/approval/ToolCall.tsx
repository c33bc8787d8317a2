import styles from "./Body.module.css";
import { type Fields, fieldsOf, listOf, textOf } from "../../lib/fields";

/** A tool of an MCP server that wants to be called: what it does, and with which arguments. */
export function ToolCall({ meta }: { meta: Fields }) {
  const does = textOf(meta["tool_description"]);
  const given = argumentsOf(meta);
  if (!does && given.length === 0) return null;
  return (
    <>
      {does ? <p className={styles.note}>{does}</p> : null}
      {given.length > 0 ? (
        <dl className={styles.facts}>
          {given.map(({ name, value }) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}

function argumentsOf(meta: Fields): { name: string; value: string }[] {
  const shown = listOf(meta["tool_params_display"]).flatMap((one) => {
    const fields = fieldsOf(one);
    const name = textOf(fields["display_name"]) ?? textOf(fields["name"]);
    return name ? [{ name, value: written(fields["value"]) }] : [];
  });
  if (shown.length > 0) return shown;
  return Object.entries(fieldsOf(meta["tool_params"])).map(([name, value]) => ({ name, value: written(value) }));
}

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
