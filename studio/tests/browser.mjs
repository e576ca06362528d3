// Presses and drags in a real Chromium, against a real server, and keeps screenshots in both themes:
//
//   RHUMB_BIN=…/rhumb node tests/browser.mjs OUT [MODEL]
//   node tests/browser.mjs OUT -- COMMAND…        the server that COMMAND starts
//
// Works for any model: nothing here knows a name or a value of one robot. Ends with 1 if anything is not
// as it should be. Timings are printed, not judged: machines differ.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { openBrowser, serve, startServer } from "./chromium.mjs";

const [out = "out/studio", model, ...command] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
// First the browser: the page's time counts from the moment at which the server prints its address.
const { browser, context, page, problems } = await openBrowser();
const server = await (model === "--" ? startServer(command) : serve(...(model ? [model] : [])));
const printed = performance.now();
const token = new URL(server.url).hash.slice("#token=".length);
const sent = []; // types of the messages to the server
let takeover = null; // how the last answer was to take over
page.on("websocket", (socket) =>
  socket.on("framesent", ({ payload }) => {
    const message = JSON.parse(String(payload));
    sent.push(message.type);
    takeover = message.play ?? takeover;
  }),
);

const metrics = () => page.evaluate(() => ({ ...window.rhumb, latencies: [...window.rhumb.latencies] }));
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))];
const status = () => page.locator(".status").innerText();
const kinds = () => page.$$eval(".control", (controls) => controls.map((control) => control.dataset.kind));
const label = () => page.locator(".lane-label span").first().innerText();
const labelBegins = (text) =>
  page.waitForFunction((wanted) => document.querySelector(".lane-label span")?.textContent?.startsWith(wanted), text);
/** The same view in the dark and in the light theme. The key works where no field and no dialog has the focus. */
async function shots(name) {
  for (const theme of ["dark", "light"]) {
    await page.evaluate(() => document.activeElement?.blur());
    if ((await page.evaluate(() => document.documentElement.dataset.theme)) !== theme) await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${out}/${name}-${theme}.png` });
  }
}
/** Moves the mouse over a box, row by row, until `found`; false if nothing is. */
async function sweep(box, across, up, found) {
  for (let row = 1; row < up; ++row) {
    for (let column = 1; column < across; ++column) {
      await page.mouse.move(box.x + (box.width * column) / across, box.y + (box.height * row) / up);
      if (await found()) return true;
    }
  }
  return false;
}

try {
  // The page comes up, without the key in the address, and the robot moves.
  await page.goto(server.url);
  await page.waitForSelector(".control");
  await page.waitForFunction(() => window.rhumb.frames > 3);
  const up = performance.now() - printed;
  assert.ok(!page.url().includes("token"), "the key stays in the address");
  const before = await metrics();
  const from = performance.now();
  await page.waitForTimeout(3000);
  const after = await metrics();
  const seconds = (performance.now() - from) / 1000;
  const poses = (after.poses - before.poses) / seconds;
  const frames = (after.frames - before.frames) / seconds;
  assert.ok(poses >= 30, `${poses} poses a second`);
  await shots("01-first");

  // Drag a slider: predictions follow, and the robot gets the answer, or the nearest behaviour.
  const first = page.locator(".control").first();
  const box = await first.locator(".slider.low").boundingBox();
  const y = box.y + box.height - 5;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  for (let i = 0; i <= 120; ++i) {
    await page.mouse.move(box.x + box.width * (0.4 + (0.35 * i) / 120), y);
    await page.waitForTimeout(25);
  }
  assert.equal(takeover.tries, 0, "nothing is tried during a drag");
  await page.mouse.up();
  await page.waitForFunction(() => window.rhumb.latencies.length > 20);
  const dragged = (await metrics()).latencies;
  assert.equal((await kinds())[0], "target");
  assert.match(await status(), /solved|infeasible|refused/);
  await labelBegins("bring");

  // An impossible wish is explained, and one click mends it.
  const number = first.locator(".number");
  await number.fill("1e7");
  await number.press("Enter");
  await page.waitForSelector(".relax");
  assert.match(await status(), /infeasible|refused/);
  await shots("02-infeasible");
  await page.locator(".relax").first().click();
  await page.waitForFunction(() => document.querySelector(".status")?.classList.contains("good"));
  assert.match(await page.locator(".origin").innerText(), /% likely to be as asked/);
  await page.waitForTimeout(1500);
  await shots("03-asked");

  // Tried first: the answer takes over a moment after it is shown.
  const untried = await label();
  const triedFrom = performance.now();
  await number.fill(String(0.9 * Number(await number.inputValue())));
  await number.press("Enter");
  await page.waitForFunction((old) => document.querySelector(".lane-label span")?.textContent !== old, untried);
  const tried = performance.now() - triedFrom;
  assert.equal(takeover.tries, 4);
  await page.getByLabel("try answers first").uncheck();
  await number.press("ArrowUp");
  await number.press("Enter");
  await page.waitForFunction(() => document.querySelector(".timing")?.textContent);
  await page.waitForTimeout(300);
  assert.equal(takeover.tries, 0);
  await page.getByLabel("try answers first").check();

  // A requirement besides: the robot is steered anew while it runs, and does not begin again.
  const asked = await label();
  const messages = sent.length;
  const second = page.locator(".control").nth(1);
  if ((await page.locator(".control").count()) > 1) {
    await second.getByRole("radio", { name: "≥" }).click();
    await page.waitForFunction((old) => document.querySelector(".lane-label span")?.textContent !== old, asked);
    assert.deepEqual((await kinds()).slice(0, 2), ["target", "atleast"]);
    assert.ok(sent.slice(messages).every((type) => type === "steer"), `sent ${sent.slice(messages)}`);
  }

  // Copy as, and a link that holds no key. A tab with the link asks the same.
  await page.getByRole("button", { name: "copy as" }).click();
  await page.screenshot({ path: `${out}/04-copy-light.png` });
  await page.getByRole("button", { name: "command line" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^rhumb steer \S+ --target \w+=/);
  await page.getByRole("button", { name: "share" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("#q="));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes("token"));
  const wishes = await kinds();
  const sharing = await context.newPage();
  await sharing.goto(`${link}&token=${token}`);
  await sharing.waitForFunction(() => document.querySelector(".status") !== null);
  assert.match(await sharing.locator(".chip[data-role]").innerText(), /watching/);
  assert.deepEqual(await sharing.$$eval(".control", (controls) => controls.map((control) => control.dataset.kind)), wishes);
  assert.equal(await sharing.locator(".number").first().inputValue(), await number.inputValue());
  await sharing.close();

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

  // Compare: B keeps the behaviour, A takes another one.
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelectorAll(".lane-label").length === 2);
  await first.getByRole("radio", { name: "max" }).click();
  await page.waitForTimeout(2500);
  await shots("05-compare");
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelectorAll(".lane-label").length === 1);

  // A schedule plays two questions.
  await page.keyboard.press("s");
  const add = page.getByRole("button", { name: "add this question" });
  await add.click();
  await add.click();
  assert.equal(await page.locator(".schedule-list li").count(), 2);
  await page.screenshot({ path: `${out}/06-schedule-light.png` });
  await page.locator("dialog[open]").getByRole("button", { name: "play" }).click();
  await labelBegins("schedule: ");

  // The plane of the codes says what it is: the UMAP that the model stores, or two principal directions.
  await page.getByRole("radio", { name: "codes" }).click();
  assert.match(await page.locator(".map-note").innerText(), /UMAP/);
  await shots("07-codes");
  const colour = page.getByRole("combobox", { name: "colour" });
  const colours = await colour.locator("option").evaluateAll((options) => options.map((option) => option.value));
  for (const one of colours) await colour.selectOption(one);
  await shots("08-last-colour");
  await colour.selectOption(colours[0]);

  // A click on the map plays a code.
  await page.getByRole("radio", { name: "values" }).click();
  const map = await page.locator(".map-canvas").boundingBox();
  assert.ok(await sweep(map, 12, 12, () => page.locator(".tip").isVisible()), "no point under the mouse");
  await page.screenshot({ path: `${out}/09-map-light.png` });
  await page.mouse.down();
  await page.mouse.up();
  await labelBegins("code ");

  // A lasso around all points asks for what is inside.
  await page.keyboard.press("Escape");
  assert.ok((await kinds()).every((kind) => kind === "free"), "Escape frees all wishes");
  const corners = [[0.02, 0.02], [0.98, 0.02], [0.98, 0.98], [0.02, 0.98], [0.02, 0.05]];
  const place = ([across, down]) => [map.x + map.width * across, map.y + map.height * down];
  await page.mouse.move(...place(corners[0]));
  await page.mouse.down();
  for (const corner of corners.slice(1)) await page.mouse.move(...place(corner), { steps: 8 });
  await page.mouse.up();
  assert.ok((await kinds()).includes("range"), "the lasso asks");
  await page.waitForFunction(() => document.querySelector(".status")?.classList.contains("good"));
  await shots("10-lasso");

  // Push the robot: shift and drag, wherever it is in the view.
  const view = await page.locator(".view").boundingBox();
  const middle = { x: view.x + view.width / 4, y: view.y + view.height / 4, width: view.width / 2, height: view.height / 2 };
  await page.keyboard.press("h");
  await page.keyboard.down("Shift");
  const pushed = await sweep(middle, 6, 8, async () => {
    await page.mouse.down();
    await page.mouse.move(view.x + view.width / 2 - 60, view.y + view.height / 2 - 90, { steps: 4 });
    await page.waitForTimeout(100);
    if (sent.includes("push")) return true;
    await page.mouse.up();
    return false;
  });
  assert.ok(pushed, "no push was sent");
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/11-push-light.png` });
  await page.mouse.up();
  await page.keyboard.up("Shift");

  // A film is a file that a player knows by its first bytes.
  const filming = page.waitForEvent("download");
  await page.keyboard.press("v");
  await page.waitForTimeout(1500);
  await page.keyboard.press("v");
  await (await filming).saveAs(`${out}/film.webm`);
  const film = readFileSync(`${out}/film.webm`);
  assert.equal(film.subarray(0, 4).toString("hex"), "1a45dfa3");
  assert.ok(film.length > 10_000, `a film of ${film.length} bytes`);

  // A replay is a page of its own: it plays without the server. It has the episode so far, so that begins again.
  await page.keyboard.press("r");
  await page.waitForFunction(() => parseFloat(document.querySelector(".clock").textContent) < 0.8);
  await page.waitForFunction(() => parseFloat(document.querySelector(".clock").textContent) > 1);
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
  await replay.screenshot({ path: `${out}/12-replay.png` });
  await replay.close();

  // The keys, and a tablet.
  await page.keyboard.press("?");
  await page.screenshot({ path: `${out}/13-keys-light.png` });
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.waitForTimeout(300);
  await shots("14-tablet");

  assert.deepEqual(problems, []);
  const rounded = (value) => Number(value.toFixed(1));
  console.log(
    JSON.stringify({
      server_ms: Math.round(server.ms),
      page_ms: Math.round(up),
      frames_per_s: rounded(frames),
      poses_per_s: rounded(poses),
      first_answer_ms: rounded(dragged[0]),
      drags: dragged.length,
      drag_p50_ms: rounded(quantile(dragged, 0.5)),
      drag_p99_ms: rounded(quantile(dragged, 0.99)),
      tried_takeover_ms: rounded(tried),
    }),
  );
} catch (problem) {
  await page.screenshot({ path: `${out}/failed.png` });
  console.error(problems.join("\n"));
  throw problem;
} finally {
  await browser.close();
  await server.end();
}
