// What a person does all day: say something, watch the answer come, answer what the agent asks; and the gateway may die meanwhile.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, isAccessible, launch, picture, say, titled } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    let gateway;
    before(async () => (gateway = await Gateway.start(backend)));
    after(() => gateway?.end());

    test("an answer comes, and is there again after a reload", async () => {
      const { id } = await gateway.session();
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      await say(page, "[stream]");
      const answer = page.getByText("One two three four five six seven eight nine ten.", { exact: true });
      await answer.waitFor();
      await page.reload();
      await answer.waitFor();
      const conversation = page.getByRole("region", { name: "Conversation" });
      assert.equal(await conversation.getByText("[stream]", { exact: true }).count(), 1);
      seen.isClean();
      await context.close();
    });

    test("a command is approved with the keyboard alone, and the other tab says so", async () => {
      const { id } = await gateway.session({ approval_policy: "on-request" });
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      const other = await context.newPage();
      await other.goto("/inbox");
      await say(page, "[approve]");
      await other.getByText("May I write approved.txt?").waitFor();
      await page.getByText("May I write approved.txt?").waitFor();
      await titled(page, /^\(1\)/);
      await page.keyboard.press("Alt+w");
      await page.keyboard.press("a");
      await page.getByText("The command was decided.", { exact: true }).waitFor();
      assert.ok(existsSync(join(gateway.work, "approved.txt")));
      await other.getByRole("button", { name: /^Accept/ }).waitFor({ state: "detached" });
      await titled(page, /^(?!\()/);
      seen.isClean();
      await context.close();
    });

    test("a turn is stopped", async () => {
      const { id } = await gateway.session({ sandbox: "danger-full-access", approval_policy: "never" });
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      await say(page, "[long]");
      await page.getByText("tick").first().waitFor();
      const stop = page.getByRole("button", { name: "Stop" });
      await stop.click();
      await stop.waitFor({ state: "detached" });
      assert.equal((await gateway.api("GET", `/v1/sessions/${id}`)).state, "idle");
      seen.isClean();
      await context.close();
    });
  });
}

describe("when the gateway is killed and comes back", () => {
  let gateway;
  before(async () => (gateway = await Gateway.start()));
  after(() => gateway?.end());

  test("the page says so, comes back by itself, and has everything once", async () => {
    const { id } = await gateway.session();
    const { context, page } = await enter(browser, gateway, `/s/${id}`);
    await say(page, "[stream]");
    const answer = page.getByText("One two three four five six seven eight nine ten.", { exact: true });
    await answer.waitFor();
    await gateway.kill();
    await page.getByText("The gateway does not answer", { exact: false }).first().waitFor();
    await gateway.startAgain();
    await page.getByText("The gateway does not answer", { exact: false }).first().waitFor({ state: "detached" });
    await say(page, "[think]");
    await page.getByText("This way.", { exact: true }).waitFor();
    assert.equal(await answer.count(), 1);
    await context.close();
  });
});

describe("what the documentation shows", () => {
  const demo = join(import.meta.dirname, "..", "..", "scenarios", "demo.toml");
  let gateway, one, other;
  before(async () => {
    gateway = await Gateway.start("rehearsal", { scenario: demo });
    one = (await gateway.session({ name: "Checkout flow", approval_policy: "untrusted" })).id;
    other = (await gateway.session({ name: "Flaky test hunt", approval_policy: "untrusted" })).id;
    for (const [id, text] of [[one, "plan"], [one, "write"], [other, "run"]]) {
      await gateway.api("POST", `/v1/sessions/${id}/messages`, { text });
    }
  });
  after(() => gateway?.end());

  const phone = { viewport: { width: 390, height: 844 } };
  const desk = { viewport: { width: 1280, height: 800 } };
  for (const [name, path, options] of [
    ["conversation-light", () => `/s/${one}`, desk],
    ["conversation-dark", () => `/s/${one}`, { ...desk, colorScheme: "dark" }],
    ["conversation-phone", () => `/s/${other}`, phone],
    ["inbox-light", () => "/inbox", desk],
    ["inbox-dark", () => "/inbox", { ...desk, colorScheme: "dark" }],
  ]) {
    test(`${name}: what waits is in view, and nothing keeps anybody from using it`, async () => {
      const { context, page, seen } = await enter(browser, gateway, path(), options);
      await page.getByRole("button", { name: /^Accept/ }).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wide, false, "nothing scrolls sideways");
      await picture(page, name);
      await isAccessible(page);
      seen.isClean();
      await context.close();
    });
  }
});
