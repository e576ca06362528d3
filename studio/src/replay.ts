// The viewer inside a replay file: plays the poses in a loop.

import { floatsOf } from "./api";
import { button, h, icon, ICONS } from "./dom";
import type { Replay } from "./replay_file";
import { Scene } from "./scene";

const replay = JSON.parse(document.querySelector("#replay")?.textContent ?? "{}") as Replay;
const lanes = replay.lanes.map(floatsOf);
const size = 7 * replay.bodies;
const count = Math.min(...lanes.map((lane) => lane.length / size));

let position = 0; // in poses
let playing = true;
let last = performance.now();

const pose = (index: number) => lanes.map((lane) => lane.subarray(index * size, (index + 1) * size));
const recorded = {
  sample: () => {
    const first = Math.min(Math.floor(position), count - 1);
    return { from: pose(first), to: pose(Math.min(first + 1, count - 1)), share: position - first };
  },
};

const view = h("div", { class: "view" });
const scene = new Scene(view, recorded, { push: () => {} });
const setPlaying = (value: boolean) => {
  playing = value;
  toggle.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
};
const toggle = button("pause or go on (space)", ICONS.pause, () => setPlaying(!playing));
const speed = h("select", { "aria-label": "speed" }, ...[0.25, 0.5, 1, 2].map((rate) => h("option", { value: rate, selected: rate === 1 }, `${rate}×`)));
const slider = h("input", {
  type: "range",
  min: 0,
  max: count - 1,
  step: "any",
  value: 0,
  "aria-label": "time",
  input: () => {
    setPlaying(false);
    position = Number(slider.value);
  },
});
const clock = h("span", { class: "clock" });
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  setPlaying(!playing);
});
view.append(h("div", { class: "lane-labels" }, ...replay.labels.map((label, lane) => h("div", { class: `lane-label lane-${lane}` }, h("span", {}, label)))));
document.querySelector("#app")?.append(
  h(
    "main",
    { class: "replay" },
    h("div", { class: "panel stage" }, view, h("div", { class: "transport" }, toggle, speed, slider, clock, button("camera as at first", ICONS.camera, () => scene.resetCamera()))),
    h(
      "table",
      {},
      h("tr", {}, ...["", "predicted", "when saved"].map((head) => h("th", {}, head))),
      ...replay.rows.map(([name, ...cells]) => h("tr", {}, h("th", {}, name), ...cells.map((cell) => h("td", {}, cell)))),
    ),
  ),
);
scene.setScene(replay.scene);

function draw(now: number): void {
  requestAnimationFrame(draw);
  if (playing) position = (position + ((now - last) / 1000 / replay.interval) * Number(speed.value)) % count;
  last = now;
  slider.value = String(position);
  clock.textContent = `${(position * replay.interval).toFixed(1)} s`;
  scene.draw(now, false);
}
requestAnimationFrame(draw);
