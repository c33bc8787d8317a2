// The gateway is killed in the middle of an answer, or the browser has no network meanwhile: nothing is lost, and nothing comes twice.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, launch, say } from "./support.mjs";
import { VISITS, conversationOf, eventsOf, gated } from "./talk.mjs";

/** What `[count]` is answered. */
const WORDS = `${Array.from({ length: 40 }, (_, at) => at + 1).join(", ")}.`;
/** What a browser says of a connection that broke, of a gateway that is not there, and of a network that is not there. */
const BROKEN = ["net::ERR_INCOMPLETE_CHUNKED_ENCODING", "net::ERR_CONNECTION_", "net::ERR_EMPTY_RESPONSE", "net::ERR_INTERNET_DISCONNECTED", "net::ERR_NETWORK_"];

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    let gateway;
    before(async () => (gateway = await Gateway.start(backend, { scenario: VISITS })));
    after(() => gateway?.end());

    test("killed in the middle of an answer: the page says so, the turn goes on, and every word is there once", async () => {
      const { context, page, seen, id } = await answering(gateway);
      await gateway.kill();
      await gone(page).waitFor();
      await gateway.startAgain();
      await gone(page).waitFor({ state: "detached" });
      await conversationOf(page).getByText(WORDS, { exact: true }).waitFor();
      await stop(page).waitFor({ state: "detached" });
      assert.equal(await conversationOf(page).getByText("[count]", { exact: true }).count(), 1);
      assert.equal(await conversationOf(page).getByText("the agent begins again", { exact: false }).count(), 0);
      assert.deepEqual(await shownAndKept(page, gateway, id), [WORDS]);
      seen.isClean(...BROKEN);
      await context.close();
    });

    test("killed while a command runs: the command goes on, and so does the queue", async () => {
      const { context, page, seen, open } = await killedAtAGate(gateway);
      open();
      await gateway.startAgain();
      await conversationOf(page).getByText("Said afterwards.", { exact: true }).waitFor();
      assert.equal(await conversationOf(page).getByText("The turn was lost", { exact: false }).count(), 0);
      seen.isClean(...BROKEN);
      await context.close();
    });

    test("a browser without network meanwhile has every word once when it is back", async () => {
      const { context, page, seen, id } = await answering(gateway);
      await context.setOffline(true);
      await gone(page).waitFor();
      await messageEnded(gateway, id);
      assert.equal(await conversationOf(page).getByText(WORDS, { exact: true }).count(), 0, "it was away before the end");
      await context.setOffline(false);
      await gone(page).waitFor({ state: "detached" });
      await conversationOf(page).getByText(WORDS, { exact: true }).waitFor();
      await stop(page).waitFor({ state: "detached" });
      assert.deepEqual(await shownAndKept(page, gateway, id), [WORDS]);
      seen.isClean(...BROKEN);
      await context.close();
    });
  });
}

describe("killed, and its app-servers with it", () => {
  let gateway;
  before(async () => (gateway = await Gateway.start("rehearsal", { scenario: VISITS, args: ["--no-relay"] })));
  after(() => gateway?.end());

  test("killed in the middle of an answer: the page says so, goes on by itself, and has every word", async () => {
    const { context, page, seen, id } = await answering(gateway);
    await gateway.kill();
    await gone(page).waitFor();
    assert.equal(await conversationOf(page).getByText(WORDS, { exact: true }).count(), 0, "it was cut before its end");
    const until = await conversationOf(page).getByText(/^1, 2, 3\b/).textContent();
    await gateway.startAgain();
    await gone(page).waitFor({ state: "detached" });
    // It had only spoken: the turn is run again, and what was cut stays as it was, with a mark below it.
    await conversationOf(page).getByText("the agent begins again", { exact: false }).waitFor();
    await conversationOf(page).getByText(WORDS, { exact: true }).waitFor();
    await stop(page).waitFor({ state: "detached" });
    await conversationOf(page).getByText("attempt 2").waitFor();
    assert.equal(await conversationOf(page).getByText("[count]", { exact: true }).count(), 1);
    const [cut, whole] = await shownAndKept(page, gateway, id);
    assert.ok(cut.startsWith(until.trimEnd()) && WORDS.startsWith(cut), `${cut} goes on what was seen: ${until}`);
    assert.equal(whole, WORDS);
    seen.isClean(...BROKEN);
    await context.close();
  });

  test("killed while a command runs: the turn is marked as lost, and the queue waits for the person", async () => {
    const { context, page, seen, open } = await killedAtAGate(gateway);
    await gateway.startAgain();
    await conversationOf(page).getByText("The turn was lost", { exact: false }).waitFor();
    await page.getByText("The queue is held", { exact: false }).waitFor();
    open();
    await page.getByRole("button", { name: "Go on" }).click();
    await conversationOf(page).getByText("Said afterwards.", { exact: true }).waitFor();
    await page.getByText("The queue is held", { exact: false }).waitFor({ state: "detached" });
    seen.isClean(...BROKEN);
    await context.close();
  });
});

const gone = (page) => page.getByRole("status").getByText("The gateway does not answer", { exact: false });
const stop = (page) => page.getByRole("button", { name: "Stop" });

/** A visit in which the answer has begun: some of its words are seen. */
async function answering(gateway) {
  const { id } = await gateway.session();
  const visited = await enter(browser, gateway, `/s/${id}`);
  await say(visited.page, "[count]");
  await conversationOf(visited.page).getByText(/^1, 2, 3\b/).waitFor();
  return { ...visited, id };
}

/** A visit in which a command waits until it is let go, a message behind it, and the gateway was killed. */
async function killedAtAGate(gateway) {
  const { id, open } = await gated(gateway);
  const visited = await enter(browser, gateway, `/s/${id}`);
  await say(visited.page, "[gate]");
  await conversationOf(visited.page).getByText("closed").first().waitFor();
  await say(visited.page, "[say afterwards]");
  await visited.page.getByRole("listitem", { name: "Waits at place 1 of 1: [say afterwards]" }).waitFor();
  await gateway.kill();
  await gone(visited.page).waitFor();
  return { ...visited, open };
}

/** Waits until the only message of a session has its end. */
async function messageEnded(gateway, id) {
  const { items } = await gateway.api("GET", `/v1/sessions/${id}/messages`);
  const { state } = await gateway.api("GET", `/v1/sessions/${id}/messages/${items[0].message_id}?wait=20`);
  assert.equal(state, "completed");
}

/** The answers that the page shows, which are those that the events give, word by word. */
async function shownAndKept(page, gateway, id) {
  const kept = new Map();
  for (const { type, item_id, data } of await eventsOf(gateway, id)) {
    if (type === "item.delta" && data.kind === "text") kept.set(item_id, (kept.get(item_id) ?? "") + data.delta);
  }
  const shown = await conversationOf(page).getByText(/^1, 2, 3\b/).allTextContents();
  assert.deepEqual(shown, [...kept.values()].map((text) => text.trimEnd()));
  return shown;
}
