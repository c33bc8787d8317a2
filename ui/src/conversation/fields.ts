// Reading Codex's items: only their type is sure, so each field is looked at before it is believed.
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fields = (value: unknown): Fields => (isFields(value) ? value : {});

export const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const texts = (value: unknown): string[] => list(value).filter((part) => typeof part === "string");
