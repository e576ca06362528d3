// The page: asks, shows the answer, plays it, and changes the question while it runs.

import "./style.css";
import { Api, Live, type LaneState, type MapData, type ModelInfo, type Role, type SceneInfo, type StageState, type SteerResult } from "./api";
import { answerRows, hint, tableRows } from "./answer";
import { Asker } from "./asker";
import { Chart } from "./chart";
import { Controls, type Forecast } from "./controls";
import { copyMenu, copyText } from "./copy_menu";
import { button, h, icon, ICONS } from "./dom";
import { Episode } from "./episode";
import type { Frame } from "./frame";
import { help, listenToKeys } from "./keys";
import { laneLabelsOf } from "./lanes";
import { MapView } from "./map";
import { bestOf, markersOf, type Shown } from "./markers";
import { paceAt } from "./pace";
import { Playback } from "./playback";
import { mapOf, PoliciesPanel } from "./policies";
import * as q from "./query";
import { Recorder } from "./recorder";
import { saveReplay } from "./replay_file";
import { RoleChip } from "./role";
import { Scene } from "./scene";
import { ScheduleDialog } from "./schedule";
import { AskSettings } from "./settings";
import { restoreTheme, setTheme } from "./theme";
import { Toast } from "./toast";
import { takeToken } from "./token";
import { SPEEDS, Transport } from "./transport";

// --- what the page knows -------------------------------------------------------------------------

restoreTheme();
const token = takeToken();
const api = new Api(token);
const playback = new Playback();
const episode = new Episode();
let info: ModelInfo | null = null;
let stage: StageState | null = null;
let role: Role = { controller: false, free: false, viewers: 0 };
let result: SteerResult | null = null;
let lastFrame: Frame | null = null;
let loading = "";
let shapesShown: SceneInfo | null = null;
let following = true; // the robot follows the question

// Measured by the browser test: drag to shown prediction, in ms.
const metrics = { latencies: [] as number[], frames: 0, poses: 0, firstAnswer: 0 };
(window as unknown as { rhumb: typeof metrics }).rhumb = metrics;

// --- top bar -------------------------------------------------------------------------------------

const modelSelect = h("select", { "aria-label": "model", change: () => live.send({ type: "model", name: modelSelect.value }) });
const modeSelect = h("select", {
  "aria-label": "how the robot acts",
  title: "sampled: with the policy's own noise; mean: without",
  change: () => live.send({ type: "mode", mode: modeSelect.value }),
});
const roleChip = new RoleChip(() => live.send({ type: role.controller ? "release" : "control" }));
const themeButton = button("light or dark (T)", ICONS.theme, () => toggleTheme());
const helpButton = button("keys and mouse (?)", ICONS.help, () => help.showModal());
const mark = icon("M12 2l3 10-3 10-3-10z");
mark.classList.add("mark");
const topBar = h(
  "header",
  { class: "top" },
  h("h1", {}, mark, "rhumb ", h("span", {}, "studio")),
  modelSelect,
  modeSelect,
  h("span", { class: "spacer" }),
  roleChip.element,
  themeButton,
  helpButton,
);

// --- left: the question --------------------------------------------------------------------------

const controls = new Controls(() => ask());
const settings = new AskSettings(() => ask());
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
  settings.element,
);

const policies = new PoliciesPanel({
  fetch: (name) => api.policies(name),
  playing: () => laneOf(0)?.policy ?? null,
  mayPlay: () => role.controller,
  play: (policy) => live.send({ type: "play", policy }),
  changed: showPoints,
});

// --- middle: the robot ---------------------------------------------------------------------------

const view = h("div", { class: "view" });
const scene = new Scene(view, playback, {
  push: (lane, body, force) => live.send({ type: "push", lane, body, force }),
});
const laneLabels = h("div", { class: "lane-labels" });
const { element: toast, say } = new Toast();
const transport = new Transport({
  pause: togglePause,
  step,
  restart: () => live.send({ type: "restart" }),
  speed: setSpeed,
  push: togglePush,
  camera: () => scene.resetCamera(),
  film: () => recorder.toggle(),
  save,
});
const recorder = new Recorder(scene.canvas, (recording) => transport.setFilming(recording), say);
view.append(laneLabels, toast);
const chart = new Chart();
const middle = h("main", { class: "middle" }, h("div", { class: "panel stage" }, view, transport.element), h("div", { class: "panel" }, chart.element));

// --- right: the map and the answer ---------------------------------------------------------------

const map = new MapView({
  play: (row) => {
    if (policies.shown) return policies.playRow(row);
    setFollowing(false);
    result = null;
    live.send({ type: "play", row, blend: settings.blend });
  },
  narrow: (ranges) => {
    if (policies.shown) return;
    for (const { name, low, high } of ranges) controls.set(name, { kind: "range", low: q.tidy(low), high: q.tidy(high) });
    ask();
  },
});
const answerBody = h("div", { class: "answer-body" });
const table = h("table", {});
const compareButton = button("keep this behaviour and compare (C)", ICONS.compare, () => toggleCompare(), "compare");
const copyAs = copyMenu({
  query,
  context: () => ({ model: info?.argument ?? "", mode: stage?.mode ?? "sampled", confidence: settings.confidence, origin: location.origin }),
  copy: (text, what) => void copyText(text, what, say),
  say,
});
const answerTitle = h("h2", {}, "Answer");
const scheduleButton = button("schedule of questions (S)", ICONS.clock, () => schedule.open(), "schedule");
const copyButton = h("div", { class: "copy" }, button("copy as …", ICONS.copy, () => (copyAs.hidden = !copyAs.hidden), "copy as"), copyAs);
const shareButton = button("copy a link to this question", ICONS.link, () => share(), "share");
const answerPanel = h(
  "section",
  { class: "answer" },
  h("header", {}, answerTitle, h("span", { class: "spacer" }), h("span", { class: "timing" })),
  answerBody,
  h(
    "footer",
    {},
    compareButton,
    scheduleButton,
    copyButton,
    shareButton,
  ),
);
const right = h("aside", { class: "panel right" }, map.element, answerPanel);

// --- dialogs -------------------------------------------------------------------------------------

const schedule = new ScheduleDialog({
  query,
  blend: () => settings.blend,
  play: (lines) => {
    setFollowing(false);
    live.send({ type: "schedule", lane: 0, lines: lines.map(({ query: asked, ...when }) => ({ ...when, ...asked })) });
  },
  copy: (text, what) => void copyText(text, what, say),
  say,
});

document.querySelector("#app")?.append(topBar, h("div", { class: "columns" }, askPanel, policies.element, middle, right), help, schedule.element);

// --- asking --------------------------------------------------------------------------------------

const asker = new Asker({
  question: (forced) => {
    const asked = query();
    if (q.isEmpty(asked)) return null;
    const plays = role.controller && (following || forced);
    return {
      type: "steer",
      query: asked,
      confidence: settings.confidence,
      ...(plays && { play: { lane: 0, blend: settings.blend, tries: controls.dragging ? 0 : settings.tries } }),
    };
  },
  empty: () => {
    result = null;
    showAnswer();
  },
  send: (message) => live.send(message),
});

function query(): q.Query {
  return q.toQuery(controls.wishes());
}

function ask(forced = false): void {
  map.setWishes(controls.wishes());
  asker.ask(forced);
}

function answered(got: SteerResult): void {
  result = got;
  if (metrics.firstAnswer === 0) metrics.firstAnswer = performance.now();
  showAnswer();
  const from = asker.askedAt;
  requestAnimationFrame(() => metrics.latencies.push(performance.now() - from));
  asker.ended(got.id);
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

function best(): Shown | null {
  return result && bestOf(result);
}

// --- showing -------------------------------------------------------------------------------------

function laneOf(index: number): LaneState | undefined {
  return stage?.lanes.find((lane) => lane.lane === index);
}

function forecastShown(): Forecast | null {
  const shown = best();
  if (shown) return { ...shown, feasible: result?.status === "solved" };
  const playing = laneOf(0);
  return playing && Object.keys(playing.predicted).length > 0 ? { predicted: playing.predicted, interval: playing.interval, feasible: true } : null;
}

/** A quantity's value for a whole episode, at the pace so far. */
function paceOf(k: number, lane: number): number {
  return info && lastFrame ? paceAt(info, lastFrame, laneOf(lane), k, lane) : NaN;
}

function showMarkers(): void {
  if (!info) return;
  const names = info.objectives.map((objective) => objective.name);
  map.setMarkers(markersOf(names, stage?.lanes ?? [], best(), result?.status === "solved", paceOf));
}

function showAnswer(): void {
  controls.setForecast(forecastShown());
  showMarkers();
  const timing = answerPanel.querySelector(".timing");
  if (timing) timing.textContent = result ? `${result.timing_ms.solve.toFixed(1)} ms` : "";
  if (!result || !info) {
    answerBody.replaceChildren(hint(policies.shown, q.isEmpty(query())), table);
    showTable();
    return;
  }
  const rows = answerRows(result, relax);
  answerBody.replaceChildren(...rows, table);
  showTable();
}

function showTable(): void {
  if (!info) return;
  const names = info.objectives.map((objective) => objective.name);
  table.replaceChildren(...tableRows(names, controls.wishes(), forecastShown(), paceOf, (stage?.lanes.length ?? 1) > 1, policies.shown));
}

/** Accepts a relaxation: the wish takes the nearest value that goes with all others. */
function relax(name: string, asked: number, needed: number): void {
  if (!controls.relax(name, asked, needed)) return say(`“${name}” has no control of its own`);
  ask();
}

function showState(): void {
  if (!stage) return;
  transport.setState(stage.paused, stage.speed);
  modeSelect.value = stage.mode;
  modelSelect.value = stage.model;
  laneLabels.replaceChildren(...laneLabelsOf(stage.lanes));
  compareButton.classList.toggle("on", stage.lanes.length > 1);
  if (!result) showAnswer();
  policies.show();
  showMarkers();
}

/** The points of a population, which become more; none are known of an older one in training. */
function showPoints(points: MapData): void {
  map.element.hidden = points.count === 0;
  map.update(points);
  showMarkers();
}

function showRole(): void {
  roleChip.show(role);
  for (const element of [modelSelect, modeSelect]) element.disabled = !role.controller;
  transport.setEnabled(role.controller);
}

// --- doing ---------------------------------------------------------------------------------------

function togglePause(): void {
  live.send({ type: "run", paused: !stage?.paused });
}
function setSpeed(speed: number): boolean {
  return live.send({ type: "run", speed });
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
  transport.setPushing(scene.pushing);
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
  if (playing.policy) live.send({ type: "play", lane: 1, policy: playing.policy, restart: true });
  else live.send({ type: "play", lane: 1, code: playing.code, label: playing.label, restart: true });
  say("B keeps this behaviour. Change the question: A follows. Both start alike.");
}

function save(): void {
  if (!info || !shapesShown) return;
  const shown = { info, scene: shapesShown, episode, labels: (stage?.lanes ?? []).map((lane) => lane.label) };
  const realised = lastFrame?.lanes[0]?.realised ?? [];
  void saveReplay(api, shown, forecastShown()?.predicted ?? {}, realised).then(say, (problem: unknown) => say(String(problem)));
}

function share(): void {
  const shared = q.encodeShared({
    model: info?.name ?? "",
    mode: stage?.mode ?? "",
    confidence: settings.confidence,
    wishes: controls.wishes(),
  });
  void copyText(`${location.origin}/#q=${shared}`, "a link with this question. It does not hold the key of this server", say);
}

listenToKeys(
  {
    " ": togglePause,
    ".": step,
    r: () => live.send({ type: "restart" }),
    l: () => setFollowing(!following),
    c: toggleCompare,
    s: () => schedule.open(),
    p: togglePush,
    h: () => scene.resetCamera(),
    v: () => recorder.toggle(),
    b: save,
    t: toggleTheme,
    "?": () => help.showModal(),
    Enter: () => ask(true),
    Escape: clearWishes,
  },
  (number) => SPEEDS[number - 1] !== undefined && setSpeed(SPEEDS[number - 1]),
);
document.addEventListener("pointerdown", (event) => {
  if (!(event.target instanceof Node && copyAs.parentElement?.contains(event.target))) copyAs.hidden = true;
});

// --- the server ----------------------------------------------------------------------------------

async function load(name: string, mode: string): Promise<void> {
  const wanted = `${name}/${mode}`;
  if (loading === wanted) return;
  loading = wanted;
  const [model, shapes] = await Promise.all([api.model(name), api.scene(name)]);
  const isPopulation = model.kind === "population";
  const list = isPopulation ? await api.policies(name) : null;
  const points = list ? mapOf(list, model.objectives.length, mode) : await api.map(name, mode);
  if (loading !== wanted) return;
  policies.setModel(model, list);
  askPanel.hidden = isPopulation;
  for (const element of [scheduleButton, copyButton, shareButton]) element.hidden = isPopulation;
  answerTitle.textContent = isPopulation ? "Policy" : "Answer";
  map.element.hidden = isPopulation && points.count === 0;
  const isNew = info?.name !== name;
  info = model;
  result = null;
  shapesShown = shapes;
  if (isNew) scene.setScene(shapes);
  modeSelect.replaceChildren(...model.modes.map((one) => h("option", { value: one }, `${one} actions`)));
  modeSelect.value = mode;
  if (isNew) controls.setWishes({});
  if (!isPopulation) controls.setModel(model, points);
  map.setModel(model, points);
  chart.setModel(model);
  document.title = `${name} · Rhumb Studio`;
  const shared = q.decodeShared(new URLSearchParams(location.hash.slice(1)).get("q") ?? "");
  if (shared && shared.model === name) {
    controls.setWishes(shared.wishes);
    settings.confidence = shared.confidence;
    history.replaceState(null, "", location.pathname);
  }
  map.setWishes(controls.wishes());
  showAnswer();
  showState();
  if (!q.isEmpty(query())) ask();
}

const live = new Live(token, {
  open: () => {
    asker.reset();
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
    roleChip.showDisconnected();
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
    say(sentence);
    asker.ended(id);
  },
  frame: (frame) => {
    lastFrame = frame;
    ++metrics.frames;
    metrics.poses += frame.poses;
    playback.push(frame, performance.now(), stage?.speed ?? 1);
    episode.add(frame);
    chart.add(frame);
  },
});

// --- drawing -------------------------------------------------------------------------------------

let lastPanels = 0;
let panels = 0;
function draw(now: number): void {
  requestAnimationFrame(draw);
  scene.draw(now, asker.busy);
  if (now - lastPanels < 100) return;
  lastPanels = now;
  chart.draw();
  if (lastFrame && info) {
    transport.setTime(lastFrame.step / info.time_limit, lastFrame.time);
    controls.setRealised((k) => paceOf(k, 0));
    showMarkers();
    if (++panels % 3 === 0) showTable();
  }
}

showRole();
showAnswer();
requestAnimationFrame(draw);
