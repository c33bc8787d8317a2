// While the agent works: messages that wait, go into the turn or replace it, and the ways to stop it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, launch, say } from "./support.mjs";
import { VISITS, conversationOf, eventsOf, gated } from "./talk.mjs";

/** So high that the whole conversation exists: a list of any length has only what is in view. */
const HIGH = { viewport: { width: 900, height: 1600 } };

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    let gateway;
    before(async () => (gateway = await Gateway.start(backend, { scenario: VISITS })));
    after(() => gateway?.end());

    /** A visit to a session whose agent has begun to work, and works until `open`. */
    async function working() {
      const { id, open } = await gated(gateway);
      const visited = await enter(browser, gateway, `/s/${id}`, HIGH);
      await say(visited.page, "[gate]");
      await conversationOf(visited.page).getByText("closed").first().waitFor();
      return { ...visited, id, open };
    }

    test("messages wait as chips: moved, changed, taken back; the rest runs in that order", async () => {
      const { context, page, seen, id, open } = await working();
      const said = ["one", "two", "three", "four"];
      for (const [at, word] of said.entries()) {
        await say(page, `[say ${word}]`);
        await chip(page, at + 1, at + 1, `[say ${word}]`).waitFor();
      }
      await chip(page, 3, 4, "[say three]").getByRole("button", { name: "Move earlier" }).click();
      await chip(page, 2, 4, "[say three]").press("Alt+ArrowUp");
      await chip(page, 1, 4, "[say three]").waitFor();
      await chip(page, 3, 4, "[say two]").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Change the message").fill("[say changed]");
      await page.keyboard.press("Enter");
      await chip(page, 3, 4, "[say changed]").waitFor();
      await chip(page, 4, 4, "[say four]").getByRole("button", { name: "Take back" }).click();
      await chip(page, 3, 3, "[say changed]").waitFor();
      await page.waitForFunction(() => document.querySelector("textarea")?.value === "[say four]");

      open();
      await conversationOf(page).getByText("Said changed.", { exact: true }).waitFor();
      await page.getByRole("region", { name: "Queue" }).waitFor({ state: "detached" });
      const shown = await conversationOf(page).getByText(/^(Said \w+|The gate was opened)\.$/).allTextContents();
      assert.deepEqual(shown, ["The gate was opened.", "Said three.", "Said one.", "Said changed."]);
      const events = await eventsOf(gateway, id);
      assert.deepEqual(started(events), ["[gate]", "[say three]", "[say one]", "[say changed]"]);
      assert.equal(endOf(events, "[say four]"), "interrupted");
      seen.isClean();
      await context.close();
    });

    test("a steer goes into the turn that runs", async () => {
      const { context, page, seen, id, open } = await working();
      await page.getByText("Steer", { exact: true }).click();
      await say(page, "[say steered]");
      await conversationOf(page).getByText("said while it worked").waitFor();
      open();
      await conversationOf(page).getByText("Said steered.", { exact: true }).waitFor();
      await stop(page).waitFor({ state: "detached" });
      const events = await eventsOf(gateway, id);
      assert.equal(events.filter(({ type }) => type === "turn.started").length, 1);
      assert.equal(endOf(events, "[gate]"), "completed");
      assert.equal(endOf(events, "[say steered]"), "completed");
      seen.isClean();
      await context.close();
    });

    test("an interrupt takes the place of the turn that runs", async () => {
      const { context, page, seen, id } = await working();
      await page.getByText("Interrupt", { exact: true }).click();
      await say(page, "[say instead]");
      await conversationOf(page).getByText("Said instead.", { exact: true }).waitFor();
      await stop(page).waitFor({ state: "detached" });
      const events = await eventsOf(gateway, id);
      assert.equal(endOf(events, "[gate]"), "interrupted");
      assert.equal(endOf(events, "[say instead]"), "completed");
      assert.equal(await conversationOf(page).getByText("The gate was opened.").count(), 0);
      seen.isClean();
      await context.close();
    });

    for (const [how, act] of [
      ["the button", (page) => stop(page).click()],
      ["the keyboard", (page) => stopByKeyboard(page)],
    ]) {
      test(`the agent is stopped with ${how}`, async () => {
        const { context, page, seen, id } = await working();
        await act(page);
        await stop(page).waitFor({ state: "detached" });
        await conversationOf(page).getByText("Interrupted").first().waitFor();
        assert.equal(endOf(await eventsOf(gateway, id), "[gate]"), "interrupted");
        seen.isClean();
        await context.close();
      });
    }

    test("a message whose page is closed before the answer came is there once", async () => {
      const { context, page, seen, id, open } = await working();
      // The gateway gets it and answers; the page never hears of that.
      const arrived = new Promise((resolve) => {
        void page.route(`**/v1/sessions/${id}/messages`, async (route) => resolve(await route.fetch()), { times: 1 });
      });
      await say(page, "[say once]");
      assert.equal((await arrived).status(), 202);
      await page.reload();
      await page.getByRole("list", { name: "Being sent" }).waitFor({ state: "detached" });
      await chip(page, 1, 1, "[say once]").waitFor();
      open();
      await conversationOf(page).getByText("Said once.", { exact: true }).waitFor();
      await stop(page).waitFor({ state: "detached" });
      assert.deepEqual(started(await eventsOf(gateway, id)), ["[gate]", "[say once]"]);
      assert.equal(await conversationOf(page).getByText("[say once]", { exact: true }).count(), 1);
      seen.isClean();
      await context.close();
    });
  });
}

const stop = (page) => page.getByRole("button", { name: "Stop" });

async function stopByKeyboard(page) {
  await page.getByLabel("Message to the agent").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

/** A message that waits, by its place and its words. */
const chip = (page, place, length, words) =>
  page.getByRole("listitem", { name: `Waits at place ${place} of ${length}: ${words}`, exact: true });

/** What the agent was given, in that order. */
function started(events) {
  return events.filter(({ type }) => type === "message.started").map(({ data }) => textOf(events, data.message_id));
}

/** How the message with these words ended. */
function endOf(events, words) {
  const ends = events.filter(({ type, data }) => type === "message.finished" && textOf(events, data.message_id) === words);
  assert.equal(ends.length, 1, `${words} ends once`);
  return ends[0].data.status;
}

/** The last words that a message had. */
function textOf(events, id) {
  const inputs = events.filter(({ type, data }) => /^message\.(accepted|updated)$/.test(type) && data.message_id === id && data.input);
  return inputs.at(-1).data.input[0].text;
}
