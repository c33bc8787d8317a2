// Comments on lines of a change: written where the lines are, found again from their list, and sent as one message.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, isAccessible, launch, picture } from "./support.mjs";
import { eventsOf } from "./talk.mjs";

const DESK = { viewport: { width: 1280, height: 800 } };

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

const diffOf = (page, path) => page.getByRole("grid", { name: `Diff of ${path}` });
const bar = (page) => page.getByRole("region", { name: "Comments on lines" });

/** Points at a line of the new file by its number, and says something of it. */
async function comment(page, path, line, words) {
  // The second column has the numbers after the change.
  const numbers = diffOf(page, path).locator("[role=gridcell]:nth-child(2)");
  await numbers.filter({ hasText: new RegExp(`^${line}$`) }).click();
  await page.getByRole("textbox", { name: `Comment on line ${line}` }).fill(words);
  await page.getByRole("button", { name: "Keep" }).click();
}

let made = 0;

/** A session that may do anything, in a directory of its own. */
function free(gateway) {
  const cwd = join(gateway.work, `free-${(made += 1)}`);
  mkdirSync(cwd);
  return gateway.session({ cwd, sandbox: "danger-full-access", approval_policy: "never" });
}

/** Says something, and waits until it is done. */
async function done(gateway, id, text) {
  const { message_id } = await gateway.api("POST", `/v1/sessions/${id}/messages`, { text });
  await gateway.api("GET", `/v1/sessions/${id}/messages/${message_id}?wait=60`);
}

/** What the agent was told, each message as one text. */
async function heard(gateway, id) {
  const events = await eventsOf(gateway, id);
  const items = events.filter(({ type, data }) => type === "item.completed" && data.item.type === "userMessage");
  return items.map(({ data }) => data.item.content.map(({ text }) => text).join("\n"));
}

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    let gateway;
    before(async () => (gateway = await Gateway.start(backend)));
    after(() => gateway?.end());

    test("two comments on a change reach the agent as one message, each with its file and line", async () => {
      const { id } = await free(gateway);
      await done(gateway, id, "[patch]");
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}/changes`, DESK);
      await comment(page, "judged.txt", 1, "Say which one.");
      await comment(page, "judged.txt", 2, "[steered] And spell it out.");
      await page.reload();
      await bar(page).getByRole("button", { name: "2 comments" }).click();
      await isAccessible(page);

      // From the other view, and though its file is folded there.
      await page.getByRole("button", { name: "Fold all" }).click();
      await bar(page).getByRole("button", { name: /line 1/ }).click();
      await page.getByRole("region", { name: "Comment on line 1" }).and(page.locator(":focus")).waitFor();
      await page.getByRole("link", { name: "Talk" }).click();
      await bar(page).getByRole("button", { name: "2 comments" }).click();
      await bar(page).getByRole("button", { name: /line 2/ }).click();
      await page.waitForURL(`**/s/${id}/changes`);
      await page.getByRole("region", { name: "Comment on line 2" }).and(page.locator(":focus")).waitFor();

      await bar(page).getByRole("button", { name: "Send" }).click();
      await bar(page).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Talk" }).click();
      await page.getByText("Steered.", { exact: true }).waitFor();
      const [, told, ...more] = await heard(gateway, id);
      assert.deepEqual(more, []);
      assert.equal(
        told,
        [
          "2 comments on the changes:",
          "`judged.txt`, line 1:\n```diff\n+first\n```\nSay which one.",
          "`judged.txt`, line 2:\n```diff\n+second\n```\n[steered] And spell it out.",
        ].join("\n\n"),
      );
      seen.isClean();
      await context.close();
    });

    test("a comment in the conversation is found from the end of it", async () => {
      const { id } = await free(gateway);
      // What comes after it fills many screens.
      for (const text of ["[patch]", "[many]"]) await done(gateway, id, text);
      const { seq } = (await eventsOf(gateway, id)).find(({ type, data }) => type === "item.completed" && data.item.type === "fileChange");
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`, DESK);
      await page.goto(`/s/${id}#e${seq}`);
      const conversation = page.getByRole("region", { name: "Conversation" });
      const diff = conversation.getByRole("grid");
      await diff.focus();
      for (const key of ["ArrowDown", "ArrowDown", "c"]) await page.keyboard.press(key);
      await page.keyboard.type("Here.");
      await page.keyboard.press("Enter");
      await conversation.press("End");
      await diff.waitFor({ state: "detached" });
      await bar(page).getByRole("button", { name: "1 comment" }).click();
      await bar(page).getByRole("button", { name: /Here\./ }).click();
      await page.getByRole("region", { name: "Comment on line 2" }).and(page.locator(":focus")).waitFor();
      seen.isClean();
      await context.close();
    });
  });
}

/** A repository in which an agent has changed something worth talking about. */
function changed(directory) {
  const git = (...args) => execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@localhost", ...args], { cwd: directory });
  mkdirSync(join(directory, "src"), { recursive: true });
  const file = join(directory, "src", "checkout.ts");
  writeFileSync(file, BEFORE);
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "checkout");
  return () => writeFileSync(file, AFTER);
}

const BEFORE = `import { charge } from "./payment";
import type { Cart } from "./cart";

/** Takes the money for a cart. */
export async function checkout(cart: Cart): Promise<string> {
  const total = cart.items.reduce((sum, item) => sum + item.price, 0);
  const receipt = await charge(total);
  return receipt.id;
}
`;

const AFTER = `import { charge } from "./payment";
import type { Cart } from "./cart";

/** Takes the money for a cart. */
export async function checkout(cart: Cart): Promise<string> {
  if (cart.items.length === 0) throw new Error("The cart is empty");
  const total = cart.items.reduce((sum, item) => sum + item.price * item.count, 0);
  for (let attempt = 0; attempt < 3; attempt++) {
    const receipt = await charge(total);
    if (receipt.paid) return receipt.id;
  }
  throw new Error("The payment did not go through");
}
`;

describe("what the documentation shows", () => {
  let gateway;
  before(async () => (gateway = await Gateway.start()));
  after(() => gateway?.end());

  for (const [name, options] of [
    ["comments-light", DESK],
    ["comments-dark", { ...DESK, colorScheme: "dark" }],
    ["comments-phone", { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ]) {
    test(`${name}: what is said of lines stands under them`, async () => {
      const cwd = join(gateway.work, name, "shop");
      const change = changed(cwd);
      const { id } = await gateway.session({ cwd, name: "Checkout flow" });
      change();
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}/changes`, options);
      await comment(page, "src/checkout.ts", 7, "Round to cents here: prices are floats.");
      await comment(page, "src/checkout.ts", 9, "A second charge may take the money twice. Give each attempt the same key.");
      await bar(page).getByRole("button", { name: "2 comments" }).click();
      await page.mouse.move(0, 0);
      await page.evaluate(() => document.fonts.ready);
      await diffOf(page, "src/checkout.ts").locator("[class*=keyword]").first().waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing scrolls sideways");
      await picture(page, name);
      await isAccessible(page);
      seen.isClean();
      await context.close();
      await gateway.api("DELETE", `/v1/sessions/${id}`);
    });
  }
});
