// The first visit: with the token it leads to the page, without one to how to get in.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BACKENDS, Gateway, enter, isAccessible, launch, picture, visit, withToken } from "./support.mjs";

/** Compressed, in bytes. */
const LIGHT = 500_000;

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const backend of BACKENDS) {
  describe(`on ${backend}`, () => {
    let gateway;
    before(async () => (gateway = await Gateway.start(backend)));
    after(() => gateway?.end());

    test("the token leaves the address, and the page is shown", async () => {
      const { context, page, seen } = await enter(browser, gateway, "/?from=terminal");
      await page.locator("#root > *").first().waitFor();
      assert.equal(page.url(), `${gateway.url}/?from=terminal`);
      await page.reload();
      await page.locator("#root > *").first().waitFor();
      seen.isClean();
      assert.ok(seen.requests.length > 1, "it was watched");
      await context.close();
    });

    test("it is light", async () => {
      const { context, page, seen } = await enter(browser, gateway);
      await page.locator("#root > *").first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      const weight = await seen.weight();
      assert.ok(weight > 1000 && weight < LIGHT, `${weight} bytes`);
      await context.close();
    });

    for (const colorScheme of ["light", "dark"]) {
      test(`nothing keeps anybody from using it, ${colorScheme}`, async () => {
        const { context, page, seen } = await enter(browser, gateway, "/", { colorScheme });
        await page.locator("#root > *").first().waitFor();
        await isAccessible(page);
        seen.isClean();
        await context.close();
      });
    }
  });
}

describe("without a token", () => {
  /** A browser tells of each page that was refused. */
  const refused = "401 (Unauthorized)";
  let gateway;
  before(async () => (gateway = await Gateway.start()));
  after(() => gateway?.end());

  test("a person is told how to get in, and gets in where they wanted to go", async () => {
    const { context, page, seen } = await visit(browser, gateway);
    const answer = await page.goto("/inbox");
    assert.equal(answer.status(), 401);
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Nobody has this token.").waitFor();
    await page.getByLabel("Token").fill(gateway.token);
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator("#root > *").first().waitFor();
    assert.equal(page.url(), `${gateway.url}/inbox`);
    seen.isClean(refused);
    await context.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`nothing keeps anybody from reading that, ${colorScheme}`, async () => {
      const { context, page, seen } = await visit(browser, gateway, { colorScheme });
      await page.goto("/?token=wrong");
      await isAccessible(page);
      await picture(page, `door-${colorScheme}`);
      seen.isClean(refused);
      await context.close();
    });
  }

  test("a link from another site leads on for whoever was let in before", async () => {
    const { context, page, seen } = await enter(browser, gateway);
    // Another site, as far as cookies know: the same machine by its other name.
    const elsewhere = gateway.url.replace("127.0.0.1", "localhost");
    await page.goto(withToken(`${elsewhere}/docs`, gateway.token));
    await page.evaluate((to) => {
      const link = Object.assign(document.createElement("a"), { href: to, textContent: "there" });
      document.body.append(link);
      link.click();
    }, `${gateway.url}/inbox`);
    await page.getByRole("link", { name: "go on" }).click();
    await page.locator("#root > *").first().waitFor();
    assert.equal(page.url(), `${gateway.url}/inbox`);
    seen.isClean(refused, "elsewhere: ");
    await context.close();
  });
});
