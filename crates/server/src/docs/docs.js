// Shows /openapi.json. Everything is made as text nodes: a description is data, never markup.
"use strict";

const METHODS = ["get", "post", "patch", "put", "delete"];
let api = {};

const make = (name, options = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else node[key] = value;
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

// What stands between backticks is code.
const prose = (text = "") => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));

const resolved = (schema) => {
  if (!schema || !schema.$ref) return schema ?? {};
  return schema.$ref.split("/").slice(1).reduce((at, part) => at?.[part], api) ?? {};
};

const typeName = (schema) => {
  if (!schema) return "anything";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map(typeName).join(" | ");
  if (schema.type === "array") return `${typeName(schema.items)}[]`;
  return [schema.type ?? "anything"].flat().join(" | ");
};

const shape = (schema, depth = 0) => {
  const known = resolved(schema);
  const list = make("ul");
  for (const part of known.allOf ?? []) list.append(...shape(part, depth).childNodes);
  for (const [name, field] of Object.entries(known.properties ?? {})) {
    const needed = (known.required ?? []).includes(name) ? " (needed)" : "";
    const words = resolved(field).description ?? field.description ?? "";
    const item = make("li", {}, make("code", {}, name), ` ${typeName(field)}${needed} `, make("span", { class: "dim" }, ...prose(words)));
    const inner = field.type === "array" ? field.items : field;
    if (depth < 3 && Object.keys(resolved(inner).properties ?? {}).length) item.append(shape(inner, depth + 1));
    list.append(item);
  }
  for (const variant of known.oneOf ?? known.anyOf ?? []) {
    if (depth < 2 && (resolved(variant).properties || variant.allOf)) {
      list.append(make("li", {}, make("span", {}, typeName(variant)), shape(variant, depth + 1)));
    }
  }
  return list;
};

const example = (schema, depth = 0) => {
  const known = resolved(schema);
  if (known.example !== undefined) return known.example;
  if (depth > 3) return null;
  const needed = known.required ?? [];
  return Object.fromEntries(needed.map((name) => {
    const field = resolved(known.properties?.[name]);
    if (field.properties) return [name, example(field, depth + 1)];
    return [name, field.type === "array" ? [] : field.type === "integer" ? 0 : ""];
  }));
};

const jsonBody = (operation) => operation.requestBody?.content?.["application/json"]?.schema;

const tryIt = (method, path, operation) => {
  const fields = (operation.parameters ?? []).map((parameter) => ({ parameter, input: make("input", { ariaLabel: parameter.name }) }));
  const schema = jsonBody(operation);
  const body = schema ? make("textarea", { ariaLabel: "body", value: JSON.stringify(example(schema), null, 2) }) : null;
  const out = make("pre", { hidden: true });
  const send = async () => {
    let address = path;
    const query = new URLSearchParams();
    const headers = schema ? { "Content-Type": "application/json" } : {};
    for (const { parameter, input } of fields) {
      if (parameter.in === "path") address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value && parameter.in === "query") query.append(parameter.name, input.value);
      else if (input.value && parameter.in === "header") headers[parameter.name] = input.value;
    }
    if ([...query].length) address += `?${query}`;
    out.hidden = false;
    out.textContent = "…";
    try {
      const answer = await fetch(address, { method: method.toUpperCase(), headers, body: body?.value });
      const text = await answer.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON: shown as it is */ }
      out.textContent = `${answer.status} ${answer.statusText}\n\n${shown}`;
    } catch (error) {
      out.textContent = `no answer: ${error.message}`;
    }
  };
  const rows = fields.map(({ parameter, input }) => make("label", { class: "field" }, make("code", {}, `${parameter.name} (${parameter.in})`), input));
  return make("div", {}, make("h3", {}, "Try it"), ...rows, body, make("p", {}, make("button", { onclick: send }, "Send")), out);
};

const answers = (operation) => {
  const list = make("ul");
  for (const [status, answer] of Object.entries(operation.responses ?? {})) {
    const schema = Object.values(answer.content ?? {})[0]?.schema;
    const item = make("li", {}, make("code", {}, status), " ", ...prose(answer.description), " ", schema ? make("span", { class: "dim" }, typeName(schema)) : null);
    if (schema && status.startsWith("2")) item.append(shape(schema.type === "array" ? schema.items : schema));
    list.append(item);
  }
  return list;
};

const described = (method, path, operation) => {
  const body = make("div", { class: "body" });
  const open = make("details", {},
    make("summary", {}, make("span", { class: `method ${method}` }, method), make("code", {}, path), make("span", { class: "dim" }, ...prose(operation.summary))), body);
  open.dataset.words = `${method} ${path} ${operation.summary ?? ""} ${operation.description ?? ""}`.toLowerCase();
  open.addEventListener("toggle", () => {
    if (!open.open || body.childNodes.length) return;
    if (operation.description) body.append(make("p", {}, ...prose(operation.description)));
    const parameters = (operation.parameters ?? []).map((it) =>
      make("li", {}, make("code", {}, it.name), ` ${it.in}, ${typeName(it.schema)}${it.required ? " (needed)" : ""} `, make("span", { class: "dim" }, ...prose(it.description))));
    if (parameters.length) body.append(make("h3", {}, "Parameters"), make("ul", {}, ...parameters));
    if (jsonBody(operation)) body.append(make("h3", {}, "Body"), shape(jsonBody(operation)));
    body.append(make("h3", {}, "Answers"), answers(operation), tryIt(method, path, operation));
  });
  return open;
};

const show = () => {
  const groups = new Map((api.tags ?? []).map(({ name }) => [name, []]));
  const about = new Map((api.tags ?? []).map(({ name, description }) => [name, description]));
  for (const [path, item] of Object.entries(api.paths ?? {})) {
    for (const method of METHODS.filter((method) => item[method])) {
      const tag = item[method].tags?.[0] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(described(method, path, item[method]));
    }
  }
  const sections = [...groups].filter(([, operations]) => operations.length).map(([tag, operations]) =>
    make("section", {}, make("h2", {}, tag, " ", make("small", {}, ...prose(about.get(tag)))), ...operations));
  document.getElementById("list").replaceChildren(...sections);
  document.getElementById("version").textContent = api.info?.version ?? "";
};

const filter = (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const section of document.querySelectorAll("section")) {
    const operations = [...section.querySelectorAll("details")];
    for (const operation of operations) operation.hidden = !words.every((word) => operation.dataset.words.includes(word));
    section.hidden = operations.every((operation) => operation.hidden);
  }
};

const begin = async () => {
  document.getElementById("find").addEventListener("input", filter);
  try {
    const answer = await fetch("/openapi.json");
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    api = await answer.json();
    show();
  } catch (error) {
    document.getElementById("list").replaceChildren(make("p", {}, `The description could not be read: ${error.message}`));
  }
};

begin();
