// A session of 10,000 items: it opens at its end, any place of it is reached, and what comes meanwhile never moves the reader.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ITEMS_A_TURN, scenarioOfItems } from "./items.mjs";
import { Gateway, enter, launch, say } from "./support.mjs";
import { VISITS, conversationOf } from "./talk.mjs";

const TURNS = 10_000 / ITEMS_A_TURN;
/** What a machine may need that is ten times slower than ours. */
const PATIENCE = { timeout: 60_000 };
const NAME = "A long one";
const FIRST = "begin [items]";

describe("10,000 items", () => {
  let browser, directory, gateway, id;
  before(async () => {
    browser = await launch();
    directory = mkdtempSync(join(tmpdir(), "selvedge-e2e-long-"));
    gateway = await Gateway.start("rehearsal", { scenario: scenarioOfItems(directory) });
    ({ id } = await gateway.session({ name: NAME }));
    for (let turn = 0; turn < TURNS; turn += 1) await send(turn === 0 ? FIRST : "[items]");
    await ended(await send("[say last]"));
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
    rmSync(directory, { recursive: true, force: true });
  });

  const send = async (text) => (await gateway.api("POST", `/v1/sessions/${id}/messages`, { text })).message_id;

  async function ended(message) {
    const { state } = await gateway.api("GET", `/v1/sessions/${id}/messages/${message}?wait=60`);
    assert.equal(state, "completed");
  }

  /** A visit that has come to the end of the session. */
  async function opened(options) {
    const visited = await enter(browser, gateway, `/s/${id}`, options);
    await inView(visited.page, "Said last.", PATIENCE);
    return visited;
  }

  test("it opens at its end, and only what is near exists", async (t) => {
    const { context, page, seen } = await enter(browser, gateway, "/");
    await page.getByRole("link", { name: NAME }).first().waitFor();
    const from = performance.now();
    await page.goto(`/s/${id}`);
    await inView(page, "Said last.", PATIENCE);
    t.diagnostic(`opened in ${Math.round(performance.now() - from)} ms`);
    const rows = await conversationOf(page).locator("time").count();
    assert.ok(rows > 0 && rows < 100, `${rows} rows exist`);
    seen.isClean();
    await context.close();
  });

  test("its first item is a key away, and so is its end", async () => {
    const { context, page, seen } = await opened();
    await conversationOf(page).press("Home");
    await inView(page, FIRST);
    await inView(page, /^Item 0:/);
    await conversationOf(page).press("End");
    await inView(page, "Said last.");
    seen.isClean();
    await context.close();
  });

  test("who reads in its middle stays there, whatever comes", async () => {
    const { context, page, seen } = await opened();
    await conversationOf(page).hover();
    await page.mouse.wheel(0, -6_000);
    await jump(page).waitFor();
    const before = await reading(page);
    await ended(await send("[say meanwhile]"));
    await page.getByRole("button", { name: /^New below/ }).waitFor();
    assert.deepEqual(await where(page, before.key), before);
    await jump(page).click();
    await inView(page, "Said meanwhile.");
    seen.isClean();
    await context.close();
  });
});

describe("following", () => {
  let browser, gateway;
  before(async () => {
    browser = await launch();
    gateway = await Gateway.start("rehearsal", { scenario: VISITS });
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
  });

  test("the end is followed until the reader goes up, and again when the reader is back", async () => {
    const { id } = await gateway.session();
    const { context, page, seen } = await enter(browser, gateway, `/s/${id}`, { viewport: { width: 700, height: 600 } });
    // More than the window holds: from here on the end has to be followed to be seen.
    for (const word of ["one", "two", "three", "four", "five", "six"]) {
      await say(page, `[say ${word}]`);
      await inView(page, `Said ${word}.`);
    }
    assert.equal(await jump(page).count(), 0);

    await say(page, "[count]");
    await inView(page, /^1, 2, 3\b/);
    await conversationOf(page).hover();
    await page.mouse.wheel(0, -300);
    await jump(page).waitFor();
    const before = await reading(page);
    await conversationOf(page).getByText(/ 40\.$/).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    assert.deepEqual(await where(page, before.key), before);
    assert.equal(await jump(page).count(), 1, "nobody but the reader goes back");

    await page.mouse.wheel(0, 5_000);
    await jump(page).waitFor({ state: "detached" });
    await say(page, "[say seven]");
    await inView(page, "Said seven.");
    seen.isClean();
    await context.close();
  });
});

/** The way back, which is there while the end is not followed. */
const jump = (page) => page.getByRole("button", { name: /^(Jump to the end|New below)/ });

/** Waits until what has these words stands whole, or as much of it as there is room for, inside the conversation's window. */
async function inView(page, words, options) {
  const element = conversationOf(page).getByText(words, { exact: typeof words === "string" }).last();
  await element.waitFor(options);
  await page.waitForFunction(
    ([pattern, isExact]) => {
      const frame = document.querySelector("[aria-label=Conversation]").getBoundingClientRect();
      const fits = (text) => (isExact ? text === pattern : new RegExp(pattern).test(text));
      return [...document.querySelectorAll("[aria-label=Conversation] p")].some((one) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return fits(one.textContent) && height > 0 && top >= frame.top - 1 && Math.min(bottom, top + 20) <= frame.bottom + 1;
      });
    },
    [typeof words === "string" ? words : words.source, typeof words === "string"],
    options,
  );
}

/** The row in the middle of the window, by its link, and where it stands, once the wheel has come to rest. */
async function reading(page) {
  const key = await page.waitForFunction(() => {
    const scroller = document.querySelector("[aria-label=Conversation]");
    const { top, height } = scroller.getBoundingClientRect();
    const rested = scroller.scrollTop === window.selvedgeRest;
    window.selvedgeRest = scroller.scrollTop;
    const rows = [...scroller.querySelectorAll("a[href^='#e']")];
    return rested && rows.findLast((row) => row.getBoundingClientRect().top < top + height / 2)?.hash;
  }, undefined, { polling: 100 });
  return where(page, await key.jsonValue());
}

async function where(page, key) {
  const top = await page.evaluate((hash) => document.querySelector(`a[href='${hash}']`)?.getBoundingClientRect().top, key);
  return { key, top: top === undefined ? undefined : Math.round(top) };
}
