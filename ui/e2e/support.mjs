// A browser that visits a gateway, and everything it has seen on the way that it should not.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

export { BACKENDS, Gateway } from "./gateway.mjs";

const IMAGES = join(import.meta.dirname, "..", "..", "docs", "images");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The browser of this machine. */
export function launch() {
  return chromium.launch({ executablePath: process.env.SELVEDGE_CHROMIUM ?? "/usr/bin/chromium" });
}

/** A visit with a cookie jar of its own: a page, and what was seen. `options` are those of a browser context. */
export async function visit(browser, gateway, options = {}) {
  const context = await browser.newContext({ baseURL: gateway.url, ...options });
  // A limit for what never comes, not for a slow machine.
  context.setDefaultTimeout(60_000);
  const seen = new Seen(gateway.url);
  await seen.watch(context);
  const page = await context.newPage();
  return { context, page, seen };
}

/** The same with the page open, as whoever started the gateway opens it. */
export async function enter(browser, gateway, path = "/", options = {}) {
  const visited = await visit(browser, gateway, options);
  await visited.page.goto(withToken(path, gateway.token));
  return visited;
}

export function withToken(path, token) {
  return `${path}${path.includes("?") ? "&" : "?"}token=${token}`;
}

/** What a visit must not have: errors, requests that failed or left this gateway, breaches of its policy. */
export class Seen {
  constructor(url) {
    this.url = url;
    /** What went wrong, in words. */
    this.wrong = [];
    /** Everything that was asked for, and what of it came to its end: a stream does not. */
    this.requests = [];
    this.finished = [];
  }

  async watch(context) {
    await context.exposeBinding("selvedgeBreach", (_, breach) => this.wrong.push(`policy: ${breach}`));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        window.selvedgeBreach(`${event.violatedDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`),
      );
    });
    context.on("request", (request) => this.#asked(request));
    context.on("requestfailed", (request) => this.#failed(request));
    context.on("requestfinished", (request) => this.finished.push(request));
    context.on("console", (said) => {
      if (said.type() === "error") this.wrong.push(`console: ${said.text()} ${said.location().url}`);
    });
    context.on("weberror", (error) => this.wrong.push(`thrown: ${error.error().stack}`));
  }

  /** Nothing went wrong but what a test expects, and forgives by words in it. */
  isClean(...forgiven) {
    const left = this.wrong.filter((line) => !forgiven.some((words) => line.includes(words)));
    assert.deepEqual(left, []);
  }

  /** The bytes that came as bodies, as they were sent. */
  async weight() {
    const sizes = await Promise.all(this.finished.map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  }

  #asked(request) {
    const url = new URL(request.url());
    if (["data:", "blob:", "about:"].includes(url.protocol)) return;
    if (url.origin !== this.url) this.wrong.push(`elsewhere: ${url.href}`);
    this.requests.push(request);
  }

  #failed(request) {
    const why = request.failure()?.errorText;
    // What the page itself gives up, as a stream it no longer needs.
    if (why !== "net::ERR_ABORTED") this.wrong.push(`failed: ${request.url()} ${why}`);
  }
}

/** Waits until the tab is called so: the title follows the fleet, which need not be as far as the conversation. */
export async function titled(page, pattern) {
  await page.waitForFunction((source) => new RegExp(source).test(document.title), pattern.source);
}

/** Says something to the agent, as one does who types. */
export async function say(page, words) {
  await page.getByLabel("Message to the agent").fill(words);
  await page.keyboard.press("Enter");
}

/** Waits until a field holds this. */
export async function valued(field, value) {
  const element = await field.elementHandle();
  await field.page().waitForFunction(([element, wanted]) => element.value === wanted, [element, value]);
}

/** Fails with what keeps somebody from using what the page shows now. */
export async function isAccessible(page) {
  // Evaluated, not inserted: the page's policy takes no script but its own.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const said = serious.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`);
  assert.deepEqual(said, []);
}

/** A picture for the documentation, if pictures are wanted. */
export async function picture(page, name) {
  if (!process.env.SELVEDGE_SCREENSHOTS) return;
  mkdirSync(IMAGES, { recursive: true });
  await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
}
