// Presses and drags in a real Chromium, against a real server, and keeps screenshots:
//
//   RHUMB_BIN=…/rhumb node tests/browser.mjs OUT [MODEL]
//
// Ends with 1 if anything is not as it should be. Timings are printed, not judged: machines differ.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { openBrowser, serve } from "./chromium.mjs";

const [out = "out/studio", model] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const server = await serve(...(model ? [model] : []));
const { url } = server;
const { browser, context, page, problems } = await openBrowser();
const shot = (name) => page.screenshot({ path: `${out}/${name}.png` });
const metrics = () => page.evaluate(() => ({ ...window.rhumb, latencies: [...window.rhumb.latencies] }));
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))];

try {
  // The page comes up, without the key in the address, and the robot moves.
  const opened = performance.now();
  await page.goto(url);
  await page.waitForSelector(".control");
  await page.waitForFunction(() => window.rhumb.frames > 3);
  const up = performance.now() - opened;
  assert.ok(!page.url().includes("token"), "the key stays in the address");
  const before = await metrics();
  const from = performance.now();
  await page.waitForTimeout(3000);
  const after = await metrics();
  const seconds = (performance.now() - from) / 1000;
  const poses = (after.poses - before.poses) / seconds;
  const frames = (after.frames - before.frames) / seconds;
  assert.ok(poses >= 30, `${poses} poses a second`);
  await shot("1-first-dark");

  // Drag a slider: predictions follow, and the robot gets the answer.
  const first = page.locator(".control").first();
  const box = await first.locator(".slider.low").boundingBox();
  const y = box.y + box.height - 5;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  for (let i = 0; i <= 120; ++i) {
    await page.mouse.move(box.x + box.width * (0.4 + (0.35 * i) / 120), y);
    await page.waitForTimeout(25);
  }
  await page.mouse.up();
  await page.waitForFunction(() => window.rhumb.latencies.length > 20);
  const dragged = (await metrics()).latencies;
  // A small map of another robot may have nothing at the end of the drag; then the nearest plays.
  assert.match(await page.locator(".status").innerText(), model ? /solved|infeasible|refused/ : /solved/);
  if (!model) assert.match(await page.locator(".origin").innerText(), /% likely to be as asked/);
  await page.waitForFunction(() => document.querySelector(".lane-label span")?.textContent?.startsWith("bring"));
  await page.waitForTimeout(1500);
  await shot("2-asked-dark");

  // Copy as, and a link that holds no key.
  await page.getByRole("button", { name: "copy as" }).click();
  await page.getByRole("button", { name: "command line" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^rhumb steer \S+ --target \w+=/);
  await page.getByRole("button", { name: "share" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("#q="));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes("token"));

  // An impossible wish is explained, and one click mends it.
  const number = first.locator(".number");
  await number.fill("1e7");
  await number.press("Enter");
  await page.waitForSelector(".relax");
  assert.match(await page.locator(".status").innerText(), /infeasible|refused/);
  await page.waitForTimeout(500);
  await shot("3-infeasible-dark");
  await page.locator(".relax").first().click();
  await page.waitForFunction(() => document.querySelector(".status")?.classList.contains("good"));

  // Pause, step, go on, by keyboard.
  await page.locator(".view").click({ position: { x: 20, y: 200 } });
  await page.keyboard.press(" ");
  await page.waitForTimeout(400);
  const still = (await metrics()).frames;
  await page.waitForTimeout(400);
  assert.equal((await metrics()).frames, still, "a pause stands still");
  await page.keyboard.press(".");
  await page.waitForFunction((count) => window.rhumb.frames === count + 1, still);
  await page.keyboard.press(" ");

  // Compare, in the light theme, and the codes' view of the map.
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelectorAll(".lane-label").length === 2);
  await page.keyboard.press("t");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  await page.waitForTimeout(2500);
  await shot("4-compare-light");
  await page.getByRole("radio", { name: "codes" }).click();
  await page.waitForTimeout(300);
  // The view says what it is: the UMAP that the model stores, or two principal directions.
  assert.match(await page.locator(".map-note").innerText(), /UMAP/);
  await shot("5-codes-light");
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelectorAll(".lane-label").length === 1);

  // A click on the map plays a code.
  await page.getByRole("radio", { name: "values" }).click();
  const map = await page.locator(".map-canvas").boundingBox();
  for (let i = 0; i < 40; ++i) {
    await page.mouse.move(map.x + 60 + 6 * i, map.y + 20 + 5 * i);
    if (await page.locator(".tip").isVisible()) break;
  }
  await shot("6-map-light");
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector(".lane-label span")?.textContent?.startsWith("code "));

  // Push the robot: shift and drag in the middle of the view.
  const view = await page.locator(".view").boundingBox();
  await page.keyboard.press("h");
  await page.keyboard.down("Shift");
  await page.mouse.move(view.x + view.width / 2, view.y + view.height / 2);
  await page.mouse.down();
  await page.mouse.move(view.x + view.width / 2 - 60, view.y + view.height / 2 - 60, { steps: 8 });
  await page.waitForTimeout(300);
  await shot("7-push-light");
  await page.mouse.up();
  await page.keyboard.up("Shift");

  // A replay is a page of its own: it plays without the server.
  const saving = page.waitForEvent("download");
  await page.keyboard.press("b");
  const replayFile = resolve(`${out}/replay.html`);
  await (await saving).saveAs(replayFile);
  const replay = await context.newPage();
  replay.on("pageerror", (error) => problems.push(`replay: ${error.message}`));
  await replay.goto(`file://${replayFile}`);
  const time = () => replay.locator(".clock").innerText();
  await replay.waitForFunction(() => parseFloat(document.querySelector(".clock")?.textContent ?? "0") > 0.2);
  await replay.keyboard.press(" ");
  const paused = await time();
  await replay.waitForTimeout(300);
  assert.equal(await time(), paused, "a replay pauses");
  await replay.screenshot({ path: `${out}/9-replay.png` });
  await replay.close();

  // A second viewer watches.
  const second = await context.newPage();
  await second.goto(url);
  await second.waitForFunction(() => window.rhumb.frames > 3);
  assert.match(await second.locator(".chip[data-role]").innerText(), /watching/);
  await second.close();

  // A tablet.
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.waitForTimeout(700);
  await shot("8-tablet-light");

  assert.deepEqual(problems, []);
  const slowest = quantile(dragged, 0.99);
  console.log(
    JSON.stringify({
      server_ms: Math.round(server.ms),
      page_ms: Math.round(up),
      frames_per_s: Number(frames.toFixed(1)),
      poses_per_s: Number(poses.toFixed(1)),
      drags: dragged.length,
      drag_p50_ms: Number(quantile(dragged, 0.5).toFixed(1)),
      drag_p99_ms: Number(slowest.toFixed(1)),
    }),
  );
} catch (problem) {
  await shot("failed");
  console.error(problems.join("\n"));
  throw problem;
} finally {
  await browser.close();
  server.end();
}
