// Reading Codex's own fields, of items and of requests: nothing of them is sure, so each is looked at before it is believed.
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const wordsOf = (value: unknown): string[] => listOf(value).filter((part) => typeof part === "string");
