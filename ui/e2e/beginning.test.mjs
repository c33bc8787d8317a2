// How a session begins: through the form, as somebody fills it in who knows the keyboard.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, isAccessible, launch, valued } from "./support.mjs";

/** What is chosen: the stand-in has one model with one effort; the scripted model's is the standard by Codex's configuration, not by
 * its catalogue. */
const CHOICES = {
  rehearsal: { model: "Rehearsal (standard)", effort: "medium (standard)" },
  codex: { model: "GPT-5.5 (standard)", effort: "high", asked: { effort: "high" } },
};
const ANSWER = "One two three four five six seven eight nine ten.";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** A git repository with one commit, which is what a worktree needs. */
function repository(path) {
  mkdirSync(path);
  const git = (...args) => execFileSync("git", ["-C", path, "-c", "user.name=Visit", "-c", "user.email=visit@example.org", ...args]);
  git("init", "--quiet", "--initial-branch", "trunk");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
}

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    const { model, effort, asked = {} } = CHOICES[backend];
    let gateway, project;
    before(async () => {
      // Sessions may work below its own directory, which is `work`.
      gateway = await Gateway.start(backend, { args: ["--allow-root", "."] });
      project = join(gateway.work, "project");
      repository(project);
      mkdirSync(join(gateway.work, "other"));
    });
    after(() => gateway?.end());

    test("the form makes a session with a worktree of its own, and remembers its choices", async () => {
      const { context, page, seen } = await enter(browser, gateway);
      await page.getByRole("link", { name: /^New session/ }).first().click();
      const directory = page.getByRole("combobox", { name: "Directory" });
      await directory.press("ArrowDown");
      await page.getByRole("option", { name: gateway.work, exact: true }).waitFor();
      await chooseOnly(page, directory, gateway.work);
      await valued(directory, `${gateway.work}/`);
      await directory.pressSequentially("pro");
      await page.getByRole("option", { name: join(gateway.work, "other"), exact: true }).waitFor({ state: "detached" });
      await chooseOnly(page, directory, project);
      await valued(directory, `${project}/`);

      await page.getByLabel("First message").fill("[stream]");
      await page.getByLabel("Model", { exact: true }).selectOption(model);
      await page.getByLabel("Effort", { exact: true }).selectOption(effort);
      await page.getByLabel("Permissions", { exact: true }).selectOption("Accept edits");
      await page.getByText("Worktree, name").click();
      await page.getByLabel("Worktree branch").fill("feature/visit");
      await page.keyboard.press("Control+Enter");

      await page.getByText(ANSWER, { exact: true }).waitFor();
      await page.getByRole("heading", { name: "[stream]", level: 1 }).waitFor();
      await page.getByRole("main").getByText("feature/visit").waitFor();
      const id = new URL(page.url()).pathname.split("/").at(-1);
      const session = await gateway.api("GET", `/v1/sessions/${id}`);
      assert.equal(session.permission_mode, "acceptEdits");
      assert.equal(session.git.branch, "feature/visit");
      assert.notEqual(session.cwd, project, "it works in the worktree");
      for (const [field, value] of Object.entries(asked)) assert.equal(session[field], value);

      const remembered = async () => {
        await valued(directory, `${project}/`);
        await page.getByLabel("Model", { exact: true }).locator("option:checked", { hasText: model }).waitFor({ state: "attached" });
        await page.getByLabel("Effort", { exact: true }).locator("option:checked", { hasText: effort }).waitFor({ state: "attached" });
        await valued(page.getByLabel("Permissions", { exact: true }), "acceptEdits");
        await valued(page.getByLabel("First message"), "");
      };
      await page.getByRole("link", { name: /^New session/ }).first().click();
      await remembered();
      await page.reload();
      await remembered();
      await page.getByLabel("First message").fill("[think]");
      await page.getByRole("button", { name: "Start session" }).click();
      await page.getByText("This way.", { exact: true }).waitFor();
      seen.isClean();
      await context.close();
    });

    test("a directory that is refused says why and what to do, and nothing that was typed is lost", async () => {
      const { context, page, seen } = await enter(browser, gateway, "/new");
      const directory = page.getByLabel("Directory", { exact: true });
      await directory.fill(gateway.home);
      await page.getByLabel("First message").fill("[stream] and a long thought");
      await page.getByText("Worktree, name").click();
      await page.getByLabel("Name", { exact: true }).fill("Kept");
      await page.getByLabel("Instructions", { exact: true }).fill("Be brief.");
      await page.getByRole("button", { name: "Start session" }).click();
      const alert = page.getByRole("alert").filter({ hasText: "is not under an allowed root" });
      await alert.getByText("--allow-root").waitFor();
      assert.equal(await directory.getAttribute("aria-invalid"), "true");
      await isAccessible(page);

      await directory.fill(project);
      await alert.waitFor({ state: "detached" });
      await valued(page.getByLabel("First message"), "[stream] and a long thought");
      await valued(page.getByLabel("Name", { exact: true }), "Kept");
      await valued(page.getByLabel("Instructions", { exact: true }), "Be brief.");
      await page.getByRole("button", { name: "Start session" }).click();
      await page.getByText(ANSWER, { exact: true }).waitFor();
      await page.getByRole("heading", { name: "Kept", level: 1 }).waitFor();
      seen.isClean("403 (Forbidden)");
      await context.close();
    });
  });
}

/** Takes what the list offers, with the keyboard: the only one of that name. */
async function chooseOnly(page, field, path) {
  const option = page.getByRole("option", { name: path, exact: true });
  await option.waitFor();
  for (let pressed = 0; (await option.getAttribute("aria-selected")) !== "true"; pressed += 1) {
    assert.ok(pressed < 20, `${path} can be reached with the arrow keys`);
    await field.press("ArrowDown");
  }
  await field.press("Enter");
}
