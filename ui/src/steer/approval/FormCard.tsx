import { useMemo, useState } from "react";
import type { PendingApproval } from "../../api/types";
import styles from "./Body.module.css";
import { Frame, type Parts } from "./Frame";
import { SchemaField } from "./SchemaField";
import { fieldsOf, textOf } from "../../lib/fields";
import { useRemembered } from "./useRemembered";
import { type Value, fieldsOfSchema } from "./schema";
import { ToolCall } from "./ToolCall";
import { checkForm } from "./validate";

interface Props {
  approval: PendingApproval;
  first?: boolean | undefined;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** What an MCP server asks: a form, a page to visit, or whether its tool may be called. */
export function FormCard({ approval, first }: Props) {
  const request = fieldsOf(approval.request);
  const fields = useMemo(() => fieldsOfSchema(fieldsOf(fieldsOf(approval.request)["requestedSchema"])), [approval.request]);
  const [given, setGiven] = useRemembered<Readonly<Record<string, Value>>>(`${approval.approval_id}.given`, {});
  const [objections, setObjections] = useState(NONE);
  const isForm = request["requestedSchema"] !== undefined;
  const content = (): Parts | undefined => {
    if (!isForm) return {};
    const checked = checkForm(fields, given);
    setObjections(checked.objections);
    return checked.objections.size === 0 ? { content: checked.content } : undefined;
  };
  const message = textOf(request["message"]) ?? textOf(request["description"]);
  const url = textOf(request["url"]);
  return (
    <Frame approval={approval} first={first} gather={content}>
      {message ? <p className={styles.reason}>{message}</p> : null}
      <ToolCall meta={fieldsOf(request["_meta"])} />
      {fields.map((field) => (
        <SchemaField
          key={field.name}
          field={field}
          value={given[field.name] ?? field.initial}
          objection={objections.get(field.name)}
          onChange={(value) => setGiven((all) => ({ ...all, [field.name]: value }))}
        />
      ))}
      {url ? <Visit url={url} /> : null}
    </Frame>
  );
}

/** Only addresses of the web become links; anything else is shown and not followed. */
function Visit({ url }: { url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <p>
      {isWeb ? (
        <a href={url} target="_blank" rel="noreferrer noopener" className={styles.link}>
          {url}
        </a>
      ) : (
        <code>{url}</code>
      )}
      <span className={styles.note}> Opens outside of this page. Come back when you are done there.</span>
    </p>
  );
}
