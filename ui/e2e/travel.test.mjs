// Going back in a session: what was asked is open again and cannot be answered, a link leads to the moment, and now is one key away.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Gateway, enter, isAccessible, launch, picture } from "./support.mjs";

const DEMO = join(import.meta.dirname, "..", "..", "scenarios", "demo.toml");
const DESK = { viewport: { width: 1280, height: 800 } };

let browser, gateway, id, events;
before(async () => {
  browser = await launch();
  gateway = await Gateway.start("rehearsal", { scenario: DEMO });
  ({ id } = await gateway.session({ name: "Checkout flow", approval_policy: "untrusted" }));
  await send("plan");
  await send("run");
  await answered("accept");
  await send("tour");
  await answered("decline");
  ({ events } = await gateway.api("GET", `/v1/sessions/${id}/events`));
});
after(async () => {
  await gateway?.end();
  await browser?.close();
});

const send = (text) => gateway.api("POST", `/v1/sessions/${id}/messages`, { text });

/** Answers everything that is asked with this until the session rests. */
async function answered(decision) {
  for (;;) {
    const { items } = await gateway.api("GET", "/v1/approvals?state=pending");
    for (const { approval_id } of items) await gateway.api("POST", `/v1/approvals/${approval_id}`, { decision });
    const { state, queued } = await gateway.api("GET", `/v1/sessions/${id}`);
    if (state === "idle" && queued === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const seqOf = (type, which = 0) => events.filter((event) => event.type === type).at(which).seq;
const slider = (page) => page.getByRole("slider", { name: "Place in the session" });
const value = async (page) => Number(await slider(page).inputValue());

describe("time travel", () => {
  test("a link leads to what was asked then, which is open and takes no answer", async () => {
    const asked = events.find(({ type, data }) => type === "session.state" && data.state === "waiting").seq;
    const { context, page, seen } = await enter(browser, gateway, `/s/${id}?at=${asked}`, DESK);
    const accept = page.getByRole("button", { name: /^Accept/ });
    await accept.waitFor();
    assert.equal(await accept.isDisabled(), true);
    assert.equal(await page.getByLabel("Message to the agent").count(), 0);
    assert.equal(await value(page), asked);
    await page.getByText("Waits for you", { exact: true }).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await picture(page, "time-travel-light");
    await isAccessible(page);
    seen.isClean();
    await context.close();
  });

  test("by the keyboard alone: there, about, and back to now", async () => {
    const { context, page, seen } = await enter(browser, gateway, `/s/${id}`, DESK);
    await page.getByLabel("Message to the agent").waitFor();
    await page.locator("#main").focus();
    await page.keyboard.press("t");
    await page.waitForURL(`**/s/${id}?at=${events.length}`);
    await slider(page).focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await value(page), events.length - 1);
    await page.keyboard.press("PageDown");
    assert.equal(await value(page), seqOf("turn.started", -1));
    await page.keyboard.press("Home");
    assert.equal(await value(page), 1);
    await page.keyboard.press(">");
    await page.waitForURL(`**/s/${id}?at=${seqOf("turn.started")}`);
    await page.keyboard.press("End");
    assert.equal(await value(page), events.length);
    await page.keyboard.press("Escape");
    await page.getByLabel("Message to the agent").waitFor();
    assert.equal(new URL(page.url()).search, "");
    seen.isClean();
    await context.close();
  });

  test("a replay comes to the end by itself", async () => {
    const { context, page, seen } = await enter(browser, gateway, `/s/${id}?at=1`, DESK);
    await page.getByLabel("Speed").selectOption("50×");
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForURL(`**/s/${id}?at=${events.length}`);
    await page.getByRole("button", { name: "Play" }).waitFor();
    seen.isClean();
    await context.close();
  });

  test("an event that has not happened is said to be so", async () => {
    const { context, page, seen } = await enter(browser, gateway, `/s/${id}?at=100000`, DESK);
    await page.getByText("has not happened").waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByLabel("Message to the agent").waitFor();
    seen.isClean();
    await context.close();
  });

  test("the changes are those of then, line by line", async () => {
    const { id } = await gateway.session({ name: "Notes", approval_policy: "never", sandbox: "danger-full-access" });
    const { message_id } = await gateway.api("POST", `/v1/sessions/${id}/messages`, { text: "write" });
    await gateway.api("GET", `/v1/sessions/${id}/messages/${message_id}?wait=60`);
    const { events } = await gateway.api("GET", `/v1/sessions/${id}/events`);
    const made = events.find(({ type, data }) => type === "item.completed" && data.item.type === "fileChange").seq;
    const { context, page, seen } = await enter(browser, gateway, `/s/${id}/changes?at=${made}`, DESK);
    await page.getByRole("grid", { name: /rehearsal-notes\.md/ }).getByText("# Notes of a rehearsal").waitFor();
    await isAccessible(page);
    await slider(page).press("Home");
    await page.getByText("Nothing had changed yet").waitFor();
    seen.isClean();
    await context.close();
  });

  for (const [name, options] of [
    ["dark", { ...DESK, colorScheme: "dark" }],
    ["on a phone", { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ]) {
    test(`nothing keeps anybody from using it, ${name}`, async () => {
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}?at=${seqOf("approval.requested", 1)}`, options);
      await page.getByRole("button", { name: "Play" }).waitFor();
      await page.getByRole("button", { name: /^Accept/ }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing scrolls sideways");
      await isAccessible(page);
      seen.isClean();
      await context.close();
    });
  }
});
