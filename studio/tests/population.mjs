// Watches a population in training in a real Chromium: policies appear, play, and are compared.
//
//   RHUMB_BIN=…/rhumb node tests/population.mjs OUT
//
// The training is played: this test puts policies of HalfCheetah into a work folder, as training does.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openBrowser, serve } from "./chromium.mjs";

const [out = "out/studio"] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "rhumb-population-"));
const work = join(scratch, "cheetah.population.work");
const model = resolve(process.env.RHUMB_BIN ?? "", "../../share/rhumb/zoo/halfcheetah");
cpSync(join(model, "environment"), join(work, "environment"), { recursive: true });
const { environment } = JSON.parse(readFileSync(join(model, "model.json"), "utf8"));
const weights = [[1, 0], [0.5, 0.5], [0, 1]];
writeFileSync(join(work, "run.json"), JSON.stringify({ environment, agents: [0, 1, 2], weights }));

/** A policy that pushes with all motors. */
function keep(agent, iteration, push, returns) {
  const arrays = {
    deviation: [[6], Array(6).fill(0.1)],
    "mean.0.bias": [[6], Array(6).fill(push)],
    "mean.0.weight": [[17, 6], Array(102).fill(0)],
    "normaliser.inverse_scale": [[17], Array(17).fill(1)],
    "normaliser.limit": [[1], [10]],
    "normaliser.mean": [[17], Array(17).fill(0)],
    returns: [[2], returns],
  };
  const header = { __metadata__: { activation: "relu" } };
  const numbers = [];
  for (const [name, [shape, values]] of Object.entries(arrays)) {
    const begin = 4 * numbers.length;
    numbers.push(...values);
    header[name] = { dtype: "F32", shape, data_offsets: [begin, 4 * numbers.length] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const folder = join(work, `agent_${String(agent).padStart(3, "0")}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "part"), Buffer.concat([size, text, Buffer.from(Float32Array.from(numbers).buffer)]));
  renameSync(join(folder, "part"), join(folder, `iteration_${String(iteration).padStart(5, "0")}.safetensors`));
}

const server = await serve(work);
const { browser, page, problems } = await openBrowser();
try {
  await page.goto(server.url);
  await page.waitForSelector(".agent");
  assert.equal(await page.locator(".agent").count(), 3);
  assert.match(await page.locator(".policies .state").innerText(), /in training/);
  assert.ok(await page.locator(".map").isHidden(), "no policy, no map");
  const label = (text) => page.waitForFunction((wanted) => document.querySelector(".lane-label span")?.textContent === wanted, text);
  await label("no policy yet");

  // The first policy plays by itself, the next when it is chosen.
  keep(1, 5, 0.2, [100, -300]);
  await label("agent 1, iteration 5");
  keep(0, 5, 0.6, [500, -900]);
  keep(0, 10, 0.7, [900, -1500]);
  const first = page.locator(".agent").first();
  await page.waitForFunction(() => document.querySelector(".agent .when")?.textContent === "iteration 10");
  await first.getByRole("button").click();
  await label("agent 0, iteration 10");
  await first.locator("input").press("ArrowLeft");
  await label("agent 0, iteration 5");
  const before = await page.evaluate(() => window.rhumb.frames);
  await page.waitForTimeout(1000);
  assert.ok((await page.evaluate(() => window.rhumb.frames)) > before, "the robot moves");

  // `newest` goes along with the training.
  await page.getByText("newest").click();
  await label("agent 0, iteration 10");
  keep(0, 15, 0.8, [1400, -2100]);
  await label("agent 0, iteration 15");

  // The map has the policies, by what they brought; compare keeps one.
  assert.ok(await page.locator(".map").isVisible());
  await page.getByRole("button", { name: "compare" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".lane-label").length === 2);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${out}/10-population-dark.png` });
  await page.keyboard.press("t");
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${out}/11-population-light.png` });
  assert.deepEqual(problems, []);
  console.log("policies appear, play and compare");
} catch (problem) {
  await page.screenshot({ path: `${out}/population-failed.png` });
  console.error(problems.join("\n"));
  throw problem;
} finally {
  await browser.close();
  await server.end();
  rmSync(scratch, { recursive: true, force: true });
}
