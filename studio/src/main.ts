// The page: asks, shows the answer and its uncertainty, plays it, and changes the question while it
// runs.

import "./style.css";
import { Api, Live, type Answer, type LaneState, type MapData, type ModelInfo, type Role, type StageState, type SteerResult } from "./api";
import { Chart } from "./chart";
import { Controls, type Forecast } from "./controls";
import { h, icon, ICONS } from "./dom";
import { formatNumber, words } from "./format";
import type { Frame } from "./frame";
import { MapView, type Marker } from "./map";
import { Playback } from "./playback";
import * as q from "./query";
import { Scene } from "./scene";
import { setTheme } from "./theme";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const DEFAULT_BLEND = 20;

// --- the token -----------------------------------------------------------------------------------

const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.get("token")) {
  sessionStorage.setItem("rhumb-token", fragment.get("token") ?? "");
  fragment.delete("token");
  // The key does not stay in the address, where a screenshot or a copy would show it.
  history.replaceState(null, "", location.pathname + (fragment.size > 0 ? `#${fragment.toString()}` : ""));
}
const token = sessionStorage.getItem("rhumb-token") ?? "";

// --- the theme -----------------------------------------------------------------------------------

setTheme(
  localStorage.getItem("rhumb-theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"),
);

// --- what the page knows -------------------------------------------------------------------------

const api = new Api(token);
const playback = new Playback();
let info: ModelInfo | null = null;
let stage: StageState | null = null;
let role: Role = { controller: false, free: false, viewers: 0 };
let result: SteerResult | null = null;
let lastFrame: Frame | null = null;
let loading = "";
let following = true; // the robot follows the question

// Measured by the browser test: drag to shown prediction, in ms.
const metrics = { latencies: [] as number[], frames: 0, poses: 0, firstAnswer: 0 };
(window as unknown as { rhumb: typeof metrics }).rhumb = metrics;

const button = (title: string, path: string, click: () => void, label = "") =>
  h("button", { type: "button", class: label ? "" : "round", title, "aria-label": label ? undefined : title, click }, icon(path), label);

// --- top bar -------------------------------------------------------------------------------------

const modelSelect = h("select", { "aria-label": "model", change: () => live.send({ type: "model", name: modelSelect.value }) });
const modeSelect = h("select", {
  "aria-label": "how the robot acts",
  title: "sampled: with the policy's own noise; mean: without",
  change: () => live.send({ type: "mode", mode: modeSelect.value }),
});
const roleChip = h("button", { type: "button", class: "chip", click: () => live.send({ type: role.controller ? "release" : "control" }) });
const themeButton = button("light or dark (T)", ICONS.theme, () => toggleTheme());
const helpButton = button("keys and mouse (?)", ICONS.help, () => help.showModal());
const mark = icon("M12 2l3 10-3 10-3-10z");
mark.setAttribute("class", "mark");
const topBar = h(
  "header",
  { class: "top" },
  h("h1", {}, mark, "rhumb ", h("span", {}, "studio")),
  modelSelect,
  modeSelect,
  h("span", { class: "spacer" }),
  roleChip,
  themeButton,
  helpButton,
);

// --- left: the question --------------------------------------------------------------------------

const controls = new Controls(() => ask());
const confidence = h("input", { type: "range", min: 0, max: 0.95, step: 0.05, value: 0, "aria-label": "confidence", input: () => ask() });
const confidenceText = h("output", {}, "off");
const blend = h("input", { type: "range", min: 0, max: 100, step: 5, value: DEFAULT_BLEND, "aria-label": "blend", input: () => showSettings() });
const blendText = h("output", {}, "");
const liveSwitch = h("input", { type: "checkbox", checked: true, change: () => setFollowing(liveSwitch.checked) });
const askPanel = h(
  "aside",
  { class: "panel ask" },
  h(
    "header",
    {},
    h("h2", {}, "Ask"),
    h("span", { class: "spacer" }),
    h("label", { class: "switch", title: "the robot follows every change of the question (L)" }, liveSwitch, "live"),
    h("button", { type: "button", class: "quiet", title: "free all wishes (Escape)", click: () => clearWishes() }, "clear"),
  ),
  controls.element,
  h(
    "div",
    { class: "settings" },
    h("label", { title: "probability with which requirements must hold" }, "confidence", confidence, confidenceText),
    h("label", { title: "steps over which the robot changes to a new behaviour" }, "blend", blend, blendText),
  ),
);

// --- middle: the robot ---------------------------------------------------------------------------

const view = h("div", { class: "view" });
const scene = new Scene(view, playback, {
  push: (lane, body, force) => live.send({ type: "push", lane, body, force }),
});
const laneLabels = h("div", { class: "lane-labels" });
const toast = h("div", { class: "toast", role: "status", hidden: true });
const pauseButton = button("pause or go on (space)", ICONS.pause, () => togglePause());
const speedSelect = h(
  "select",
  { "aria-label": "speed", title: "speed (1 to 6)", change: () => live.send({ type: "run", speed: Number(speedSelect.value) }) },
  ...SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`)),
);
const progress = h("progress", { max: 1, value: 0, "aria-label": "episode" });
const clock = h("span", { class: "clock" });
const pushButton = button("push the robot with the mouse (P, or hold shift)", ICONS.push, () => togglePush());
const filmButton = button("save a film (V)", ICONS.film, () => film());
const transport = h(
  "div",
  { class: "transport" },
  pauseButton,
  button("one step (.)", ICONS.step, () => step()),
  button("begin again (R)", ICONS.restart, () => live.send({ type: "restart" })),
  speedSelect,
  progress,
  clock,
  pushButton,
  button("camera as at first (H)", ICONS.camera, () => scene.resetCamera()),
  filmButton,
);
view.append(laneLabels, toast);
const chart = new Chart();
const middle = h("main", { class: "middle" }, h("div", { class: "panel stage" }, view, transport), h("div", { class: "panel" }, chart.element));

// --- right: the map and the answer ---------------------------------------------------------------

const map = new MapView({
  play: (row) => {
    setFollowing(false);
    result = null;
    live.send({ type: "play", row, blend: Number(blend.value) });
  },
  narrow: (ranges) => {
    for (const { name, low, high } of ranges) controls.set(name, { kind: "range", low: q.tidy(low), high: q.tidy(high) });
    ask();
  },
});
const answerBody = h("div", { class: "answer-body" });
const table = h("table", {});
const compareButton = button("keep this behaviour and compare (C)", ICONS.compare, () => toggleCompare(), "compare");
const copyMenu = h("div", { class: "menu", hidden: true });
const answerPanel = h(
  "section",
  { class: "answer" },
  h("header", {}, h("h2", {}, "Answer"), h("span", { class: "spacer" }), h("span", { class: "timing" })),
  answerBody,
  h(
    "footer",
    {},
    compareButton,
    button("schedule of questions (S)", ICONS.clock, () => openSchedule(), "schedule"),
    h("div", { class: "copy" }, button("copy as …", ICONS.copy, () => (copyMenu.hidden = !copyMenu.hidden), "copy as"), copyMenu),
    button("copy a link to this question", ICONS.link, () => share(), "share"),
  ),
);
const right = h("aside", { class: "panel right" }, map.element, answerPanel);

// --- dialogs -------------------------------------------------------------------------------------

const KEYS: [string, string][] = [
  ["space", "pause, go on"],
  [".", "one step"],
  ["R", "begin again"],
  ["1 – 6", "speed"],
  ["L", "live: the robot follows the question"],
  ["Enter", "play the answer"],
  ["C", "compare with another behaviour"],
  ["S", "schedule"],
  ["P", "push with the mouse (or hold shift and drag the robot)"],
  ["H", "camera as at first"],
  ["V", "save a film"],
  ["T", "light or dark"],
  ["Escape", "free all wishes"],
];
const help = h(
  "dialog",
  { class: "dialog" },
  h("h2", {}, "Keys and mouse"),
  h("dl", {}, ...KEYS.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
  h("p", {}, "Map: click a point to play it, draw a lasso to ask for what is inside. Robot: drag turns, wheel zooms."),
  h("form", { method: "dialog" }, h("button", {}, "close")),
);
const scheduleList = h("ol", { class: "schedule-list" });
const scheduleStep = h("input", { type: "number", min: 0, step: 10, value: 0, "aria-label": "from step" });
let schedule: { step: number; blend: number; query: q.Query }[] = [];
const scheduleDialog = h(
  "dialog",
  { class: "dialog" },
  h("h2", {}, "Schedule"),
  h("p", {}, "Set the question with the controls, then add it here with the step at which it takes over."),
  scheduleList,
  h(
    "div",
    { class: "row" },
    "from step",
    scheduleStep,
    h("button", { type: "button", click: () => addToSchedule() }, "add this question"),
  ),
  h(
    "form",
    { method: "dialog", class: "row" },
    h("button", { type: "button", class: "primary", click: () => playSchedule() }, "play"),
    h("button", { type: "button", click: () => { schedule = []; showSchedule(); } }, "empty"),
    h("button", { type: "button", click: () => copy(schedule.map((line) => JSON.stringify({ step: line.step, blend: line.blend, ...line.query })).join("\n") + "\n", "the schedule, for rhumb play --schedule") }, "copy lines"),
    h("button", {}, "close"),
  ),
);

document.querySelector("#app")?.append(topBar, h("div", { class: "columns" }, askPanel, middle, right), help, scheduleDialog);

// --- asking --------------------------------------------------------------------------------------

let nextId = 1;
let inFlight = 0; // id
let again = false;
let askedAt = 0;
let soonest = 0; // of the input that the next answer is for

function query(): q.Query {
  return q.toQuery(controls.wishes());
}

function ask(forced = false): void {
  showSettings();
  map.setWishes(controls.wishes());
  if (soonest === 0) soonest = performance.now();
  if (inFlight !== 0) {
    again = true;
    return;
  }
  const asked = query();
  if (q.isEmpty(asked)) {
    soonest = 0;
    result = null;
    return showAnswer();
  }
  const message: Record<string, unknown> = { type: "steer", id: nextId, query: asked, confidence: Number(confidence.value) };
  if (role.controller && (following || forced)) message.play = { lane: 0, blend: Number(blend.value) };
  askedAt = soonest;
  soonest = 0;
  if (live.send(message)) inFlight = nextId++;
}

function answered(got: SteerResult): void {
  if (got.id === inFlight) inFlight = 0;
  result = got;
  if (metrics.firstAnswer === 0) metrics.firstAnswer = performance.now();
  showAnswer();
  const from = askedAt;
  requestAnimationFrame(() => metrics.latencies.push(performance.now() - from));
  if (again) {
    again = false;
    ask();
  }
}

function clearWishes(): void {
  controls.setWishes({});
  ask();
}

function setFollowing(value: boolean): void {
  following = value;
  liveSwitch.checked = value;
  if (value && !q.isEmpty(query())) ask();
}

function best(): { predicted: Record<string, number>; interval: Record<string, [number, number]>; code: number[] } | null {
  if (!result) return null;
  const answer: Answer | undefined = result.answers[0];
  if (answer) return answer;
  const near = result.infeasibility;
  return near ? { predicted: near.nearest, interval: near.interval, code: near.code } : null;
}

// --- showing -------------------------------------------------------------------------------------

function showSettings(): void {
  const level = Number(confidence.value);
  confidenceText.textContent = level > 0 ? `${Math.round(100 * level)} %` : "off";
  const steps = Number(blend.value);
  blendText.textContent = steps === 0 ? "at once" : `${steps} steps`;
}

function laneOf(index: number): LaneState | undefined {
  return stage?.lanes.find((lane) => lane.lane === index);
}

function forecastShown(): Forecast | null {
  const shown = best();
  if (shown) return { ...shown, feasible: result?.status === "solved" };
  const playing = laneOf(0);
  return playing ? { predicted: playing.predicted, interval: playing.interval, feasible: true } : null;
}

/** A quantity's value for a whole episode, at the pace so far. */
function paceOf(k: number, lane: number): number {
  if (!info || !lastFrame || lastFrame.step < 20) return NaN;
  const value = lastFrame.lanes[lane]?.realised[k];
  if (value === undefined) return NaN;
  const expression = info.objectives[k].expression;
  const sums = expression === "" || expression.startsWith("sum(");
  const steps = laneOf(lane)?.ended ? (laneOf(lane)?.steps ?? lastFrame.step) : lastFrame.step;
  return sums ? (value / Math.max(steps, 1)) * info.time_limit : value;
}

function showMarkers(): void {
  if (!info) return;
  const markers: Marker[] = [];
  const names = info.objectives.map((objective) => objective.name);
  const lanes = stage?.lanes ?? [];
  for (const lane of lanes) {
    if (lane.lane === 0 && best()) continue;
    markers.push({
      values: (k) => lane.predicted[names[k]],
      interval: (k) => lane.interval[names[k]],
      code: lane.code,
      colour: lane.lane === 0 ? "--lane-a" : "--lane-b",
      shape: "answer",
    });
  }
  const shown = best();
  if (shown) {
    markers.push({
      values: (k) => shown.predicted[names[k]],
      interval: (k) => shown.interval[names[k]],
      code: shown.code,
      colour: result?.status === "solved" ? "--lane-a" : "--ghost",
      shape: result?.status === "solved" ? "answer" : "ghost",
    });
  }
  for (const lane of lanes) {
    markers.push({ values: (k) => paceOf(k, lane.lane), colour: lane.lane === 0 ? "--text" : "--lane-b", shape: "dot" });
  }
  map.setMarkers(markers);
}

function showAnswer(): void {
  controls.setForecast(forecastShown());
  showMarkers();
  const timing = answerPanel.querySelector(".timing");
  if (timing) timing.textContent = result ? `${result.timing_ms.solve.toFixed(1)} ms` : "";
  if (!result || !info) {
    const text = q.isEmpty(query())
      ? "Drag a slider to ask for a value. Choose ≥ or ≤ for a requirement, max or min for a goal."
      : "The map's code plays. Press Enter to play the question's answer.";
    answerBody.replaceChildren(h("p", { class: "hint" }, text), table);
    showTable();
    return;
  }
  const solved = result.status === "solved";
  const rows: Node[] = [
    h(
      "p",
      { class: `status ${solved ? "good" : "bad"}` },
      h("b", {}, solved ? "solved" : result.status.replaceAll("_", " ")),
      " ",
      result.query.words,
    ),
  ];
  if (result.infeasibility && !solved) {
    // The nearest behaviour's values stand on the controls.
    const reason = result.infeasibility.reason.split("; the nearest behaviour")[0];
    rows.push(h("p", { class: "reason" }, `${reason}. The nearest behaviour is shown instead. Accept a change:`));
    for (const relaxation of result.infeasibility.relax) {
      if (relaxation.needed === null) continue;
      const needed = relaxation.needed;
      rows.push(
        h(
          "button",
          { type: "button", class: "relax", title: "accept this change", click: () => relax(relaxation.quantity, relaxation.asked, needed) },
          `${relaxation.requirement} → ${formatNumber(needed)}`,
        ),
      );
    }
  } else if (result.answers[0]) {
    const answer = result.answers[0];
    const from = answer.origin === "steered" || answer.origin === "mixed" ? "found between known codes" : "a known code";
    rows.push(h("p", { class: "origin" }, `${from}, ${answer.distance_to_data.toFixed(2)} spacings from what was tried`));
  }
  answerBody.replaceChildren(...rows, table);
  showTable();
}

/** Asked, predicted and realised, side by side. */
function showTable(): void {
  if (!info) return;
  const forecast = forecastShown();
  const wishes = controls.wishes();
  const asked = (wish: q.Wish | undefined): string => {
    if (!wish || wish.kind === "free") return "";
    if (wish.kind === "max" || wish.kind === "min") return wish.kind;
    if (wish.kind === "range") return `${formatNumber(wish.low)} … ${formatNumber(wish.high)}`;
    const sign = wish.kind === "target" ? "=" : wish.kind === "atleast" ? "≥" : "≤";
    return `${sign} ${formatNumber(wish.kind === "atmost" ? wish.high : wish.low)}`;
  };
  const compared = (stage?.lanes.length ?? 1) > 1;
  const rows = info.objectives.map(({ name }, k) => {
    const interval = forecast?.interval[name];
    const half = interval ? ` ± ${formatNumber((interval[1] - interval[0]) / 2)}` : "";
    return h(
      "tr",
      {},
      h("th", {}, words(name)),
      h("td", {}, asked(wishes[name])),
      h("td", { class: "predicted" }, forecast ? formatNumber(forecast.predicted[name]) + (compared ? "" : half) : ""),
      h("td", {}, formatNumber(paceOf(k, 0))),
      compared && h("td", { class: "lane-b" }, formatNumber(paceOf(k, 1))),
    );
  });
  const heads = ["", "asked", "predicted", compared ? "A so far" : "so far", ...(compared ? ["B"] : [])];
  table.replaceChildren(h("tr", {}, ...heads.map((head) => h("th", {}, head))), ...rows);
}

/** Accepts a relaxation: the wish takes the nearest value that goes with all others. */
function relax(name: string, asked: number, needed: number): void {
  const wish = controls.wish(name);
  if (!wish) return say(`“${name}” has no control of its own`);
  // A little beyond, so that rounding does not ask for the impossible again.
  const value = q.tidy(needed);
  if (wish.kind === "range") {
    const lower = Math.abs(wish.low - asked) <= Math.abs(wish.high - asked);
    controls.set(name, lower ? { low: value } : { high: value });
  } else controls.set(name, { low: value, high: value });
  ask();
}

function showLanes(): void {
  const lanes = stage?.lanes ?? [];
  laneLabels.replaceChildren(
    ...lanes.map((lane) =>
      h(
        "div",
        { class: `lane-label lane-${lane.lane}` },
        lanes.length > 1 && h("b", {}, lane.lane === 0 ? "A" : "B"),
        h("span", {}, lane.schedule.length > 1 ? `schedule: ${lane.label}` : lane.label),
        lane.fell && h("em", {}, "fell"),
      ),
    ),
  );
  compareButton.classList.toggle("on", lanes.length > 1);
}

function showState(): void {
  if (!stage) return;
  pauseButton.replaceChildren(icon(stage.paused ? ICONS.play : ICONS.pause));
  speedSelect.value = String(SPEEDS.find((speed) => Math.abs(speed - (stage?.speed ?? 1)) < 1e-9) ?? 1);
  modeSelect.value = stage.mode;
  modelSelect.value = stage.model;
  showLanes();
  if (!result) showAnswer();
  showMarkers();
}

function showRole(): void {
  const others = role.viewers - 1;
  const company = others > 0 ? ` · ${role.viewers} viewers` : "";
  roleChip.textContent = role.controller ? `you control${company}` : role.free ? `take control${company}` : `watching${company}`;
  roleChip.title = role.controller ? "give control back" : role.free ? "nobody controls the robot" : "another viewer controls the robot";
  roleChip.disabled = !role.controller && !role.free;
  roleChip.dataset.role = role.controller ? "controller" : role.free ? "free" : "viewer";
  for (const element of [modelSelect, modeSelect, speedSelect, pauseButton]) element.disabled = !role.controller;
}

let toastTimer = 0;
function say(text: string, lasting = false): void {
  toast.textContent = text;
  toast.hidden = text === "";
  clearTimeout(toastTimer);
  if (!lasting) toastTimer = window.setTimeout(() => (toast.hidden = true), 5000);
}

// --- doing ---------------------------------------------------------------------------------------

function togglePause(): void {
  live.send({ type: "run", paused: !stage?.paused });
}
function step(): void {
  if (!stage?.paused) live.send({ type: "run", paused: true });
  live.send({ type: "step" });
}
function toggleTheme(): void {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  scene.applyTheme();
  map.repaint();
  chart.build();
  controls.redraw();
}
function togglePush(): void {
  scene.pushing = !scene.pushing;
  pushButton.classList.toggle("on", scene.pushing);
  if (scene.pushing) say("Drag a part of the robot to push it.");
}

/** Keeps what plays as B; A goes on with the question. */
function toggleCompare(): void {
  if ((stage?.lanes.length ?? 1) > 1) {
    live.send({ type: "clear", lane: 1 });
    return;
  }
  const playing = laneOf(0);
  if (!playing) return;
  live.send({ type: "play", lane: 1, code: playing.code, label: playing.label, restart: true });
  say("B keeps this behaviour. Change the question: A follows. Both start alike.");
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${what}.`);
  } catch {
    say(text, true);
  }
}

function share(): void {
  const shared = q.encodeShared({
    model: info?.name ?? "",
    mode: stage?.mode ?? "",
    confidence: Number(confidence.value),
    wishes: controls.wishes(),
  });
  void copy(`${location.origin}/#q=${shared}`, "a link with this question. It does not hold the key of this server");
}

function fillCopyMenu(): void {
  const context = (): q.CopyContext => ({
    model: info?.argument ?? "",
    mode: stage?.mode ?? "sampled",
    confidence: Number(confidence.value),
    origin: location.origin,
  });
  const entries: [string, (asked: q.Query) => string][] = [
    ["command line", (asked) => q.asCommand(asked, context())],
    ["JSON", (asked) => q.asJson(asked)],
    ["Python", (asked) => q.asPython(asked, context())],
    ["C++", (asked) => q.asCpp(asked, context())],
    ["curl", (asked) => q.asCurl(asked, context())],
  ];
  copyMenu.replaceChildren(
    ...entries.map(([name, make]) =>
      h(
        "button",
        {
          type: "button",
          click: () => {
            copyMenu.hidden = true;
            const asked = query();
            if (q.isEmpty(asked)) say("Ask something first.");
            else void copy(make(asked), name);
          },
        },
        name,
      ),
    ),
  );
}

let recorder: MediaRecorder | null = null;
function film(): void {
  if (recorder) {
    recorder.stop();
    return;
  }
  const parts: Blob[] = [];
  try {
    recorder = new MediaRecorder(scene.canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 6e6 });
  } catch {
    return say("This browser cannot record; use rhumb play --video.");
  }
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => {
    recorder = null;
    filmButton.classList.remove("on");
    const link = h("a", { href: URL.createObjectURL(new Blob(parts, { type: "video/webm" })), download: "rhumb.webm" });
    link.click();
    URL.revokeObjectURL(link.href);
    say("The film is saved: rhumb.webm.");
  };
  recorder.start();
  filmButton.classList.add("on");
  say("Filming; press again to save.");
}

function openSchedule(): void {
  showSchedule();
  scheduleDialog.showModal();
}
function showSchedule(): void {
  scheduleList.replaceChildren(
    ...schedule.map((line) => h("li", {}, h("b", {}, `from step ${line.step}`), ` ${q.asJson(line.query).replaceAll(/\s+/g, " ")}`)),
  );
  scheduleStep.value = String(schedule.length === 0 ? 0 : (schedule.at(-1)?.step ?? 0) + 200);
}
function addToSchedule(): void {
  const asked = query();
  if (q.isEmpty(asked)) return say("Ask something first.");
  const at = schedule.length === 0 ? 0 : Math.max(Number(scheduleStep.value) || 0, 1);
  schedule = schedule.filter((line) => line.step !== at);
  schedule.push({ step: at, blend: at === 0 ? 0 : Number(blend.value), query: asked });
  schedule.sort((a, b) => a.step - b.step);
  showSchedule();
}
function playSchedule(): void {
  if (schedule.length === 0) return say("The schedule is empty.");
  setFollowing(false);
  live.send({ type: "schedule", lane: 0, lines: schedule.map((line) => ({ step: line.step, blend: line.blend, ...line.query })) });
  scheduleDialog.close();
}

document.addEventListener("keydown", (event) => {
  const field = event.target instanceof HTMLInputElement && ["number", "text"].includes(event.target.type);
  if (field || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const actions: Record<string, () => void> = {
    " ": togglePause,
    ".": step,
    r: () => live.send({ type: "restart" }),
    l: () => setFollowing(!following),
    c: toggleCompare,
    s: openSchedule,
    p: togglePush,
    h: () => scene.resetCamera(),
    v: film,
    t: toggleTheme,
    "?": () => help.showModal(),
    Enter: () => ask(true),
    Escape: clearWishes,
  };
  const speed = SPEEDS[Number(event.key) - 1];
  const action = speed !== undefined ? () => live.send({ type: "run", speed }) : actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  // A focused button would take the space bar and Enter as a press.
  if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
  event.preventDefault();
  action();
});
document.addEventListener("pointerdown", (event) => {
  if (!(event.target instanceof Node && copyMenu.parentElement?.contains(event.target))) copyMenu.hidden = true;
});

// --- the server ----------------------------------------------------------------------------------

async function load(name: string, mode: string): Promise<void> {
  const wanted = `${name}/${mode}`;
  if (loading === wanted) return;
  loading = wanted;
  const [model, shapes, points]: [ModelInfo, Awaited<ReturnType<Api["scene"]>>, MapData] = await Promise.all([
    api.model(name),
    api.scene(name),
    api.map(name, mode),
  ]);
  if (loading !== wanted) return;
  const isNew = info?.name !== name;
  info = model;
  result = null;
  if (isNew) scene.setScene(shapes);
  modeSelect.replaceChildren(...model.modes.map((one) => h("option", { value: one }, `${one} actions`)));
  modeSelect.value = mode;
  if (isNew) controls.setWishes({});
  controls.setModel(model, points);
  map.setModel(model, points);
  chart.setModel(model);
  document.title = `${name} · Rhumb Studio`;
  const shared = q.decodeShared(new URLSearchParams(location.hash.slice(1)).get("q") ?? "");
  if (shared && shared.model === name) {
    controls.setWishes(shared.wishes);
    confidence.value = String(shared.confidence);
    history.replaceState(null, "", location.pathname);
  }
  map.setWishes(controls.wishes());
  showAnswer();
  showState();
  if (!q.isEmpty(query())) ask();
}

const live = new Live(token, {
  open: () => {
    inFlight = 0;
    again = false;
    say("");
    void api.models().then(({ models }) => {
      modelSelect.replaceChildren(...models.map(({ name }) => h("option", { value: name }, name)));
      modelSelect.hidden = models.length < 2;
      if (stage) modelSelect.value = stage.model;
    });
  },
  closed: () => {
    if (!token) {
      say("This page needs the key of the server: open the address that rhumb serve printed.", true);
    } else say("The server does not answer; trying again …", true);
    role = { controller: false, free: false, viewers: 0 };
    showRole();
    roleChip.textContent = "not connected";
  },
  state: (state) => {
    stage = state;
    void load(state.model, state.mode).catch((problem: unknown) => {
      loading = "";
      say(String(problem));
    });
    showState();
  },
  role: (next) => {
    role = next;
    showRole();
  },
  answer: answered,
  problem: (sentence, id) => {
    if (id !== undefined && id === inFlight) inFlight = 0;
    say(sentence);
    if (again) {
      again = false;
      ask();
    }
  },
  frame: (frame) => {
    lastFrame = frame;
    ++metrics.frames;
    metrics.poses += frame.poses;
    playback.push(frame, performance.now(), stage?.speed ?? 1);
    chart.add(frame);
  },
});

// --- drawing -------------------------------------------------------------------------------------

let lastPanels = 0;
let panels = 0;
function draw(now: number): void {
  requestAnimationFrame(draw);
  scene.draw(now, inFlight !== 0);
  if (now - lastPanels < 100) return;
  lastPanels = now;
  chart.draw();
  if (lastFrame && info) {
    progress.value = lastFrame.step / info.time_limit;
    clock.textContent = `${lastFrame.time.toFixed(1)} s`;
    controls.setRealised((k) => paceOf(k, 0));
    showMarkers();
    if (++panels % 3 === 0) showTable();
  }
}

fillCopyMenu();
showSettings();
showRole();
showAnswer();
requestAnimationFrame(draw);
