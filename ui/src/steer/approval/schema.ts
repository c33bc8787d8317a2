// The forms of MCP servers: from a JSON schema of the few kinds that the protocol allows to fields, and from what was filled in
// to the answer.
import { type Fields, fieldsOf, listOf, textOf, wordsOf } from "../../lib/fields";

export interface Option {
  value: string;
  label: string;
}

export interface FormField {
  name: string;
  label: string;
  help: string | undefined;
  required: boolean;
  type: "text" | "number" | "integer" | "boolean" | "choice" | "choices" | "json";
  /** Of a text: `email`, `uri`, `date`, `date-time`, `password`. */
  format: string | undefined;
  options: readonly Option[];
  schema: Fields;
  initial: Value;
}

export type Value = string | boolean | readonly string[];

export function fieldsOfSchema(schema: Fields): FormField[] {
  const required = new Set(wordsOf(schema["required"]));
  return Object.entries(fieldsOf(schema["properties"])).map(([name, property]) => field(name, fieldsOf(property), required.has(name)));
}

function field(name: string, schema: Fields, required: boolean): FormField {
  const type = typeOf(schema);
  return {
    name,
    label: textOf(schema["title"]) ?? name,
    help: textOf(schema["description"]),
    required,
    type,
    format: textOf(schema["format"]),
    options: type === "choices" ? optionsOf(fieldsOf(schema["items"])) : optionsOf(schema),
    schema,
    initial: initialOf(type, schema["default"]),
  };
}

function typeOf(schema: Fields): FormField["type"] {
  if (schema["type"] === "array") return optionsOf(fieldsOf(schema["items"])).length > 0 ? "choices" : "json";
  if (optionsOf(schema).length > 0) return "choice";
  switch (schema["type"]) {
    case "string":
      return "text";
    case "number":
    case "integer":
    case "boolean":
      return schema["type"];
    default:
      return "json";
  }
}

/** `enum` with names beside it, or `oneOf` and `anyOf` with titles. */
function optionsOf(schema: Fields): Option[] {
  const names = wordsOf(schema["enumNames"]);
  const words = wordsOf(schema["enum"]).map((value, place) => ({ value, label: names[place] ?? value }));
  const titled = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].flatMap((one) => {
    const { const: value, title } = fieldsOf(one);
    return typeof value === "string" ? [{ value, label: textOf(title) ?? value }] : [];
  });
  return [...words, ...titled];
}

function initialOf(type: FormField["type"], given: unknown): Value {
  if (type === "boolean") return given === true;
  if (type === "choices") return wordsOf(given);
  if (type === "json") return given === undefined ? "" : JSON.stringify(given);
  return given === undefined || given === null ? "" : String(given);
}
