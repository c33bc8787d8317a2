// Whether a form is filled in right, and what it says.
import type { FormField, Value } from "./schema";

export type Checked = { value: unknown } | { objection: string } | { left: true };

/** A field's part of the answer, why it is not one, or that it was left empty. */
export function check(field: FormField, given: Value): Checked {
  if (field.type === "boolean") return { value: given === true };
  if (typeof given !== "string") return several(field, given === true || given === false ? [] : given);
  const text = field.type === "text" ? given : given.trim();
  if (text === "") return field.required ? { objection: `${field.label} is needed.` } : { left: true };
  switch (field.type) {
    case "number":
    case "integer":
      return number(field, text);
    case "json":
      return json(field, text);
    case "choice":
      return { value: text };
    default:
      return words(field, text);
  }
}

function several({ required, label, schema }: FormField, values: readonly string[]): Checked {
  const least = numberOf(schema["minItems"]) ?? (required ? 1 : 0);
  const most = numberOf(schema["maxItems"]) ?? Number.POSITIVE_INFINITY;
  if (values.length < least) return { objection: `${label}: choose at least ${least}.` };
  if (values.length > most) return { objection: `${label}: choose at most ${most}.` };
  return values.length === 0 ? { left: true } : { value: values };
}

function number({ label, type, schema }: FormField, text: string): Checked {
  const value = Number(text);
  if (!Number.isFinite(value)) return { objection: `${label} must be a number.` };
  if (type === "integer" && !Number.isInteger(value)) return { objection: `${label} must be a whole number.` };
  const least = numberOf(schema["minimum"]);
  const most = numberOf(schema["maximum"]);
  if (least !== undefined && value < least) return { objection: `${label} must be at least ${least}.` };
  if (most !== undefined && value > most) return { objection: `${label} may be at most ${most}.` };
  return { value };
}

function words({ label, format, schema }: FormField, text: string): Checked {
  const least = numberOf(schema["minLength"]) ?? 0;
  const most = numberOf(schema["maxLength"]) ?? Number.POSITIVE_INFINITY;
  if (text.length < least) return { objection: `${label} must have at least ${least} letters.` };
  if (text.length > most) return { objection: `${label} may have at most ${most} letters.` };
  if (format === "email" && !/^\S+@\S+$/.test(text)) return { objection: `${label} must be an address like name@example.com.` };
  if (format === "uri" && !URL.canParse(text)) return { objection: `${label} must be an address like https://example.com.` };
  if (format === "date-time") {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? { objection: `${label} must be a date and a time.` } : { value: at.toISOString() };
  }
  return { value: text };
}

function json({ label }: FormField, text: string): Checked {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { objection: `${label} must be JSON.` };
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

export interface FormResult {
  content: Record<string, unknown>;
  objections: ReadonlyMap<string, string>;
}

export function checkForm(fields: readonly FormField[], given: Readonly<Record<string, Value>>): FormResult {
  const content: Record<string, unknown> = {};
  const objections = new Map<string, string>();
  for (const field of fields) {
    const checked = check(field, given[field.name] ?? field.initial);
    if ("objection" in checked) objections.set(field.name, checked.objection);
    else if ("value" in checked) content[field.name] = checked.value;
  }
  return { content, objections };
}
