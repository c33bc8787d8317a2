// All sessions at a glance: the overview, the usage of a month, a new session; found by labels, and shown in the documentation.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Gateway, enter, isAccessible, launch, picture } from "./support.mjs";

const DEMO = join(import.meta.dirname, "..", "..", "scenarios", "demo.toml");
const DESK = { viewport: { width: 1280, height: 800 } };
const DARK = { ...DESK, colorScheme: "dark" };
const PHONE = { viewport: { width: 390, height: 844 } };

/** Project, name, labels, and what is said first. */
const SESSIONS = [
  ["shop", "Checkout flow", { team: "blue", urgent: "" }, "write"],
  ["shop", "Flaky test hunt", { team: "blue" }, "run"],
  ["shop", "Faster search", { team: "red" }, "plan"],
  ["site", "Words of the landing page", { team: "red" }, "hello"],
  ["infra", "Upgrade the database", { kind: "spike" }, "tour"],
  ["infra", "Rotate the certificates", {}, "plan"],
];

let browser, gateway;
before(async () => {
  browser = await launch();
  gateway = await Gateway.start("rehearsal", { scenario: DEMO });
  for (const [project, name, labels, text] of SESSIONS) {
    const cwd = join(gateway.work, project);
    mkdirSync(cwd, { recursive: true });
    const { id } = await gateway.session({ cwd, name, labels, approval_policy: "untrusted" });
    const { message_id } = await gateway.api("POST", `/v1/sessions/${id}/messages`, { text });
    if (["plan", "hello"].includes(text)) await gateway.api("GET", `/v1/sessions/${id}/messages/${message_id}?wait=20`);
  }
});
after(async () => {
  await browser?.close();
  await gateway?.end();
});

/** Figures of a month: the stand-in has those of today alone, and no prices. */
async function withAMonth(context) {
  const { items: sessions } = await gateway.api("GET", "/v1/sessions");
  const used = (key, total) => ({
    key,
    turns: Math.round(total / 24_000),
    cost_usd: total * 4e-6,
    usage: { input: total * 0.8, cached_input: total * 0.6, cache_write_input: 0, output: total * 0.2, reasoning_output: total * 0.05, total },
  });
  const day = (ago) => new Date(Date.now() - ago * 86_400_000);
  const works = Array.from({ length: 30 }, (_, ago) => ago).filter((ago) => ago === 0 || ![0, 6].includes(day(ago).getUTCDay()));
  const items = {
    day: works.map((ago) => used(day(ago).toISOString().slice(0, 10), (((ago * 7919) % 23) + 4) * 31_000)),
    model: [used("gpt-5.5", 5_600_000), used("gpt-5.5-codex", 2_400_000), used("gpt-5.5-mini", 900_000)],
    session: sessions.map(({ id }, place) => used(id, 2_800_000 / (place + 1))),
  };
  await context.route("**/v1/usage?*", (route) => {
    const group = new URL(route.request().url()).searchParams.get("group");
    const all = items[group].reduce((sum, { usage }) => sum + usage.total, 0);
    const { key: _, ...total } = used("", all);
    return route.fulfill({ json: { group, items: items[group], total } });
  });
}

async function shown(page, name) {
  await page.evaluate(() => document.fonts.ready);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing scrolls sideways");
  await picture(page, name);
  await isAccessible(page);
}

describe("what the documentation shows", () => {
  for (const [name, options] of [
    ["overview-light", DESK],
    ["overview-dark", DARK],
    ["overview-phone", PHONE],
  ]) {
    test(`${name}: what waits comes first, with what it asks`, async () => {
      const { context, page, seen } = await enter(browser, gateway, "/inbox", options);
      await withAMonth(context);
      await page.goto("/");
      const waits = page.getByRole("region", { name: "Needs you" });
      await waits.getByRole("link").nth(2).waitFor();
      await waits.getByText("uname -sr").first().waitFor();
      await page.getByRole("slider", { name: "Used by day" }).waitFor();
      await shown(page, name);
      seen.isClean();
      await context.close();
    });
  }

  for (const [name, options] of [
    ["usage-light", DESK],
    ["usage-dark", DARK],
  ]) {
    test(`${name}: the figures of a day are said for arrow keys`, async () => {
      const { context, page, seen } = await enter(browser, gateway, "/inbox", options);
      await withAMonth(context);
      await page.goto("/usage");
      await page.getByRole("link", { name: "Checkout flow" }).last().waitFor();
      await shown(page, name);
      const days = page.getByRole("slider", { name: "Used by day" });
      const today = await days.getAttribute("aria-valuetext");
      await days.press("ArrowLeft");
      assert.notEqual(await days.getAttribute("aria-valuetext"), today);
      seen.isClean();
      await context.close();
    });
  }

  test("new-session-light: nothing keeps anybody from filling it in", async () => {
    const { context, page, seen } = await enter(browser, gateway, "/new", DESK);
    await page.getByLabel("Directory", { exact: true }).fill(join(gateway.work, "shop"));
    await page.getByLabel("First message").fill("Find out why the test of the checkout fails now and then, and mend it.");
    await shown(page, "new-session-light");
    seen.isClean();
    await context.close();
  });
});

describe("sessions are found", () => {
  test("by a label, which is an address that somebody else can open", async () => {
    const { context, page, seen } = await enter(browser, gateway, "/", DESK);
    const sidebar = page.getByRole("navigation", { name: "Sessions" });
    await sidebar.getByRole("link", { name: /Rotate the certificates/ }).waitFor();
    await page.keyboard.press("f");
    await page.getByRole("checkbox", { name: "team:blue" }).check();
    await page.keyboard.press("Escape");
    await sidebar.getByText("2 of 6 sessions").waitFor();
    assert.equal(new URL(page.url()).search, "?label=team:blue");
    const other = await enter(browser, gateway, "/inbox?label=team:red", DESK);
    await other.page.getByText("2 of 6 sessions").waitFor();
    await other.page.getByRole("button", { name: "Do not filter by team:red" }).click();
    await other.page.getByRole("link", { name: /Rotate the certificates/ }).waitFor();
    assert.equal(new URL(other.page.url()).search, "");
    seen.isClean();
    await other.context.close();
    await context.close();
  });

  test("by a label that was just given, and a name that was just changed", async () => {
    const { context, page, seen } = await enter(browser, gateway, "/", DESK);
    const sidebar = page.getByRole("navigation", { name: "Sessions" });
    const row = sidebar.getByRole("link", { name: /Rotate the certificates/ });
    await row.focus();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Name of the session" }).fill("New certificates");
    await page.keyboard.press("Enter");
    await sidebar.getByRole("link", { name: /New certificates/ }).waitFor();
    await sidebar.getByRole("button", { name: "Actions for New certificates" }).click();
    await page.getByRole("menuitem", { name: "Labels" }).click();
    await page.getByRole("combobox", { name: "Labels" }).fill("yearly");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await sidebar.getByRole("link", { name: /New certificates.*yearly/ }).waitFor();
    const { items } = await gateway.api("GET", "/v1/sessions?label=yearly:");
    assert.deepEqual(items.map(({ name }) => name), ["New certificates"]);
    seen.isClean();
    await context.close();
  });
});

describe("a session that works", () => {
  let busy;
  before(async () => (busy = await Gateway.start()));
  after(() => busy?.end());

  test("says in the overview what it does now", async () => {
    const { id } = await busy.session({ name: "Long work", sandbox: "danger-full-access", approval_policy: "never" });
    const { context, page, seen } = await enter(browser, busy, `/s/${id}`, DESK);
    await busy.api("POST", `/v1/sessions/${id}/messages`, { text: "[long]" });
    await page.getByText("tick").first().waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("region", { name: "Working" }).getByText("Running").waitFor();
    await busy.api("POST", `/v1/sessions/${id}/interrupt`, {});
    await page.getByRole("region", { name: "Resting" }).getByText("Long work").waitFor();
    seen.isClean();
    await context.close();
  });
});
