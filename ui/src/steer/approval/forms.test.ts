import { describe, expect, it } from "vitest";
import { permissionsOf } from "./permissions";
import { fieldsOfSchema } from "./schema";
import { checkForm } from "./validate";

const schema = {
  type: "object",
  required: ["name", "count"],
  properties: {
    name: { type: "string", title: "Name", minLength: 3 },
    count: { type: "integer", minimum: 1, maximum: 9 },
    mail: { type: "string", format: "email" },
    dry: { type: "boolean", default: true },
    channel: { type: "string", enum: ["stable", "beta"], enumNames: ["Stable", "Beta"], default: "beta" },
    tags: { type: "array", items: { anyOf: [{ const: "a", title: "Alpha" }] }, maxItems: 1 },
  },
};

describe("a form", () => {
  const fields = fieldsOfSchema(schema);

  it("is made of its schema", () => {
    expect(fields.map(({ name, type, required }) => [name, type, required])).toEqual([
      ["name", "text", true],
      ["count", "integer", true],
      ["mail", "text", false],
      ["dry", "boolean", false],
      ["channel", "choice", false],
      ["tags", "choices", false],
    ]);
    expect(fields[4]?.options).toEqual([
      { value: "stable", label: "Stable" },
      { value: "beta", label: "Beta" },
    ]);
  });

  it("says what is wrong with each field", () => {
    const { objections } = checkForm(fields, { name: "ab", count: "1.5", mail: "nobody", tags: ["a", "b"] });
    expect([...objections.values()]).toEqual([
      "Name must have at least 3 letters.",
      "count must be a whole number.",
      "mail must be an address like name@example.com.",
      "tags: choose at most 1.",
    ]);
    expect(checkForm(fields, {}).objections.get("name")).toBe("Name is needed.");
    expect(checkForm(fields, { count: "12" }).objections.get("count")).toBe("count may be at most 9.");
  });

  it("gives values of the schema's kinds, and leaves out what was left empty", () => {
    const { content, objections } = checkForm(fields, { name: "Eva", count: "3" });
    expect(objections.size).toBe(0);
    expect(content).toEqual({ name: "Eva", count: 3, dry: true, channel: "beta" });
  });
});

describe("permissions", () => {
  it("are all shown, also those nobody knows", () => {
    const profile = {
      network: { enabled: true },
      fileSystem: { read: ["/etc"], write: null, entries: [{ path: { type: "path", path: "/srv" }, access: "write" }] },
      camera: { on: true },
    };
    expect(permissionsOf(profile)).toEqual([
      { what: "Use the network" },
      { what: "Read", where: "/etc" },
      { what: "Read and write", where: "/srv" },
      { what: "camera", where: '{"on":true}' },
    ]);
  });
});
