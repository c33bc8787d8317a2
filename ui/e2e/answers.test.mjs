// What a person answers and says beyond words: a declined change, a question's form, pictures, files, and another way from here.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, isAccessible, launch, say, valued } from "./support.mjs";

const ANSWER = "One two three four five six seven eight nine ten.";
/** A picture of eight by eight points. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAbElEQVR42g3JQQEAMAgDMZRUCUqqpEp4nwiUoGjLN1WFii5cpJhiiyuqhEQLi4gRK04/GjXduEkzzTbXP4xMG5uYMWvOP4JCB4eECRsuPwYNPXjIMMMONz8WLb14yTLLLrc/Dh19+Mgxxx53PMhZXIGg5EVJAAAAAElFTkSuQmCC";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

const conversationOf = (page) => page.getByRole("region", { name: "Conversation" });
const messageOf = (page, words) => page.getByRole("article", { name: "Your message" }).filter({ hasText: words });

/** Waits until the agent, which works, does so no more. */
const rests = (page) => page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    let gateway;
    before(async () => {
      gateway = await Gateway.start(backend);
      mkdirSync(join(gateway.work, "docs"));
      writeFileSync(join(gateway.work, "docs", "visitors-guide.md"), "# Guide\n");
    });
    after(() => gateway?.end());

    test("a change of files is declined with a message, and another allowed for the session", async () => {
      const { id } = await gateway.session({ approval_policy: "untrusted" });
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      const card = page.getByRole("article", { name: "Change these files?" });
      const file = join(gateway.work, "judged.txt");
      await say(page, "[patch]");
      await card.getByText("second").waitFor();
      await card.getByText(/^For session:/).waitFor();
      await page.keyboard.press("Alt+w");
      await page.keyboard.press("d");
      await page.getByLabel("What should it do instead?").pressSequentially("Use another name");
      await page.keyboard.press("Enter");
      const declined = conversationOf(page).getByRole("status").filter({ hasText: "Declined by you" });
      await declined.getByText("“Use another name”").waitFor();
      await rests(page);
      assert.equal(existsSync(file), false);
      await page.reload();
      await conversationOf(page).getByRole("status").filter({ hasText: "Declined by you" }).getByText("“Use another name”").waitFor();

      await say(page, "[patch]");
      await card.getByText("second").waitFor();
      await page.keyboard.press("Alt+w");
      await page.keyboard.press("s");
      await conversationOf(page).getByText("Accepted for the session", { exact: true }).waitFor();
      await rests(page);
      await say(page, "[patch again]");
      await conversationOf(page).getByText("The file was changed.", { exact: true }).waitFor();
      assert.equal(readFileSync(file, "utf8"), "first\nchanged\n");
      // In its turn or, if that was over, with the next message.
      const { events } = await gateway.api("GET", `/v1/sessions/${id}/events`);
      const heard = events.filter(({ type, data }) => type === "item.completed" && data.item.type === "userMessage");
      assert.match(heard.flatMap(({ data }) => data.item.content.map(({ text }) => text)).join("\n"), /Use another name/);
      seen.isClean();
      await context.close();
    });

    // The stand-in asks no questions of this kind.
    test("a question is answered by its form", { skip: backend !== "codex" }, async () => {
      const { id } = await gateway.session({ permission_mode: "plan" });
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      await say(page, "[ask]");
      const card = page.getByRole("article", { name: "A question for you" });
      await card.getByRole("group", { name: "Which colour?" }).waitFor();
      await page.keyboard.press("Alt+w");
      await page.keyboard.press("a");
      await card.getByText(/^Choose one/).waitFor();
      await card.getByRole("radio", { name: /^Red/ }).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowDown");
      await card.getByRole("radio", { name: /^Blue/, checked: true }).waitFor();
      const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/v1/approvals/"));
      await page.keyboard.press("Enter");
      assert.deepEqual((await sent).postDataJSON(), { decision: "accept", answers: { colour: ["Blue"] } });
      await page.getByText("Asked.", { exact: true }).waitFor();
      await conversationOf(page).getByRole("status").filter({ hasText: "Accepted by you: Which colour?" }).waitFor();
      seen.isClean();
      await context.close();
    });

    test("pictures come by paste and by drop, and are seen before and after they are sent", async () => {
      const { id } = await gateway.session();
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      const area = page.getByLabel("Message to the agent");
      await area.click();
      await paste(page, PICTURE);
      const chips = page.getByRole("list", { name: "Pictures" });
      await chips.getByRole("img").waitFor();
      await drop(page, PICTURE, "dropped.png");
      await chips.getByRole("img", { name: "dropped.png" }).waitFor();
      await drop(page, PICTURE, "unwanted.png");
      await chips.getByRole("button", { name: "Remove unwanted.png" }).click();
      await chips.getByRole("img", { name: "unwanted.png" }).waitFor({ state: "detached" });
      await say(page, "[stream] with pictures");
      await page.getByText(ANSWER, { exact: true }).waitFor();
      await chips.waitFor({ state: "detached" });
      const pictures = messageOf(page, "[stream] with pictures").getByRole("img");
      for (const picture of [pictures.first(), pictures.last()]) await drawn(picture);
      assert.equal(await pictures.count(), 2);
      seen.isClean();
      await context.close();
    });

    // The stand-in has no tools of its own.
    test("a picture that the agent looked at is seen", { skip: backend !== "codex" }, async () => {
      writeFileSync(join(gateway.work, "seen.png"), Buffer.from(PICTURE, "base64"));
      const { id } = await gateway.session({ sandbox: "danger-full-access", approval_policy: "never" });
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      await say(page, "[view]");
      await page.getByText("Looked at it.", { exact: true }).waitFor();
      const picture = conversationOf(page).getByRole("img", { name: "seen.png" });
      await drawn(picture);
      await page.reload();
      await drawn(picture);
      await isAccessible(page);
      seen.isClean();
      await context.close();
    });

    test("a fork from a message has what came before it and not what came after", async () => {
      const { id } = await gateway.session({ name: "Two ways" });
      for (const text of ["[stream]", "[think]"]) {
        const { message_id } = await gateway.api("POST", `/v1/sessions/${id}/messages`, { text });
        await gateway.api("GET", `/v1/sessions/${id}/messages/${message_id}?wait=60`);
      }
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      await page.getByText("This way.", { exact: true }).waitFor();
      await messageOf(page, "[stream]").getByRole("button", { name: /^Fork from here/ }).click();
      await page.getByRole("heading", { name: "Fork of Two ways", level: 1 }).waitFor();
      await page.getByText(ANSWER, { exact: true }).waitFor();
      const origin = page.getByText("Forked from").getByRole("link", { name: "Two ways" });
      await origin.waitFor();
      assert.equal(await page.getByText("This way.", { exact: true }).count(), 0);
      await say(page, "[steered]");
      await page.getByText("Steered.", { exact: true }).waitFor();
      await page.reload();
      await page.getByText("Steered.", { exact: true }).waitFor();
      await page.getByText(ANSWER, { exact: true }).waitFor();
      await isAccessible(page);
      const text = await exported(page, "Fork of Two ways");
      assert.match(text, /\*Taken over from session `\w{8}`:\*[^]*One two three[^]*\*Forked here\.\*[^]*Steered\./);
      assert.ok(!text.includes("This way."));
      await origin.click();
      await page.getByText("This way.", { exact: true }).waitFor();
      assert.equal(await page.getByText("Steered.", { exact: true }).count(), 0);
      seen.isClean();
      await context.close();
    });

    test("a file is named with @, and the conversation is exported", async () => {
      const { id } = await gateway.session({ name: "To be kept" });
      const { context, page, seen } = await enter(browser, gateway, `/s/${id}`);
      const area = page.getByLabel("Message to the agent");
      await area.pressSequentially("[stream] of @visitors");
      await page.getByRole("listbox", { name: "Files" }).getByRole("option", { name: "docs/visitors-guide.md" }).waitFor();
      await page.keyboard.press("Enter");
      await valued(area, "[stream] of docs/visitors-guide.md ");
      await page.keyboard.press("Enter");
      await page.getByText(ANSWER, { exact: true }).waitFor();
      const text = await exported(page, "To be kept");
      for (const part of ["# To be kept", "[stream] of docs/visitors-guide.md", ANSWER]) assert.ok(text.includes(part), part);
      seen.isClean();
      await context.close();
    });
  });
}

/** The session as markdown, by its menu. */
async function exported(page, name) {
  await page.getByRole("main").getByRole("button", { name: `Actions for ${name}` }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as markdown" }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), `${name.toLowerCase().replaceAll(" ", "-")}.md`);
  return readFileSync(await file.path(), "utf8");
}

/** Copies a picture, and pastes it with the keyboard. */
async function paste(page, picture) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
  }, picture);
  await page.keyboard.press("Control+v");
}

/** Drops a file on the page, as from the desktop. */
async function drop(page, picture, name) {
  const dataTransfer = await page.evaluateHandle(
    ([base64, name]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dragged = new DataTransfer();
      dragged.items.add(new File([bytes], name, { type: "image/png" }));
      return dragged;
    },
    [picture, name],
  );
  for (const type of ["dragover", "drop"]) await page.dispatchEvent("main", type, { dataTransfer });
}

/** Waits until a picture is there, not only its place. */
async function drawn(picture) {
  await picture.page().waitForFunction((element) => element.complete && element.naturalWidth > 0, await picture.elementHandle());
}
