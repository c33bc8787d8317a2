// How long the page takes to open a session of 10,000 items and one of 100, and its frames while somebody scrolls through the long
// one. Prints one report as JSON; `SELVEDGE_BIN` and `SELVEDGE_CHROMIUM` say which programs.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ITEMS_A_TURN, scenarioOfItems } from "../e2e/items.mjs";
import { Gateway, enter, launch } from "../e2e/support.mjs";
import { conversationOf } from "../e2e/talk.mjs";
import { frames, seen, watchForTheEnd } from "./watching.mjs";

const LONG = Array.from({ length: 10_000 / ITEMS_A_TURN }, () => "[items]");
const SHORT = ["[some items]"];
/** Frames of scrolling, and pixels in each: 18,000 a second, which is somebody in a hurry. */
const [FRAMES, PIXELS] = [300, 300];
/** A frame above this is seen as a stutter: two of a screen's. */
const STUTTER = 33.4;

const directory = mkdtempSync(join(tmpdir(), "selvedge-bench-page-"));
let browser, gateway;
try {
  gateway = await Gateway.start("rehearsal", { scenario: scenarioOfItems(directory) });
  browser = await launch();
  const long = await session("A long one", LONG);
  const short = await session("A short one", SHORT);
  // The browser's own beginning is not the page's.
  await opened(short);
  const report = { short_opened_ms: await opened(short), long_opened_ms: await opened(long) };
  Object.assign(report, await clicked(short, "A long one", "long"), await clicked(long, "A short one", "short"));
  console.log(JSON.stringify({ ...report, ...(await scrolled(long)) }));
} finally {
  await browser?.close();
  await gateway?.end();
  rmSync(directory, { recursive: true, force: true });
}

/** A session in which these messages were answered, and last one that every visit waits for. */
async function session(name, messages) {
  const { id } = await gateway.session({ name });
  let last;
  for (const text of [...messages, "[say last]"]) {
    last = await gateway.api("POST", `/v1/sessions/${id}/messages`, { text });
  }
  const { state } = await gateway.api("GET", `/v1/sessions/${id}/messages/${last.message_id}?wait=60`);
  if (state !== "completed") throw new Error(`${name} ended ${state}`);
  return id;
}

/** A browser that knows the gateway's page, but not what it is asked to show. */
async function visited(path) {
  const visit = await enter(browser, gateway, path);
  await watchForTheEnd(visit.context);
  return visit;
}

/** From the address to its last words. */
async function opened(id) {
  const { context, page } = await visited("/");
  await page.getByRole("link", { name: "A long one" }).first().waitFor();
  const from = Date.now();
  await page.goto(`/s/${id}`);
  const at = await seen(page);
  await context.close();
  return at - from;
}

/** From a click in the sidebar to the last words of another session. */
async function clicked(from, name, which) {
  const { context, page } = await visited("/");
  await page.goto(`/s/${from}`);
  await seen(page);
  await page.evaluate(() => addEventListener("click", () => window.watchForTheEnd(), { once: true, capture: true }));
  await page.getByRole("link", { name }).first().click();
  const at = await seen(page);
  const clickedAt = await page.evaluate(() => window.beganToWatch);
  await context.close();
  return { [`${which}_clicked_ms`]: at - clickedAt };
}

/** Up from the end, as fast as a hand can. */
async function scrolled(id) {
  const { context, page } = await visited("/");
  await page.goto(`/s/${id}`);
  await seen(page);
  await conversationOf(page).hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole("button", { name: /^Jump to the end/ }).waitFor();
  const took = await frames(page, FRAMES, PIXELS);
  await context.close();
  const stutters = took.filter((frame) => frame > STUTTER).length;
  return { longest_frame_ms: Math.max(...took), stutter_percent: (100 * stutters) / took.length };
}
