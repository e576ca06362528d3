// A control for every objective and attribute: what to ask, with the data's range behind it and
// what the map predicts on it.

import type { MapData, ModelInfo, Objective } from "./api";
import { h } from "./dom";
import { formatNumber, quantile, words } from "./format";
import { ink } from "./theme";
import { tidy, type Kind, type Wish, type Wishes } from "./query";

const LABELS: [Kind, string, string][] = [
  ["free", "free", "no wish"],
  ["target", "=", "reach this value"],
  ["atleast", "≥", "at least this value"],
  ["atmost", "≤", "at most this value"],
  ["range", "↔", "between two values"],
  ["max", "max", "as large as possible"],
  ["min", "min", "as small as possible"],
];

export interface Forecast {
  predicted: Record<string, number>;
  interval: Record<string, [number, number]>;
  feasible: boolean;
}

class Control {
  readonly element: HTMLElement;
  readonly wish: Wish;
  dragging = false; // a slider moves: the question is not the last one
  private readonly low: HTMLInputElement;
  private readonly high: HTMLInputElement;
  private readonly number: HTMLInputElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly value: HTMLElement;
  private readonly kinds = new Map<Kind, HTMLButtonElement>();
  private forecast: Forecast | null = null;
  private realised = NaN;
  private size = [0, 0]; // of the picture; asking for it makes the browser lay the page out
  private bins: number[] = [];
  private from = 0;
  private to = 1;

  constructor(
    readonly objective: Objective,
    private readonly changed: () => void,
  ) {
    const name = words(objective.name);
    this.wish = { kind: "free", low: objective.mean, high: objective.mean };
    const slider = (which: "low" | "high") =>
      h("input", {
        type: "range",
        class: `slider ${which}`,
        "aria-label": which === "low" ? name : `${name}, upper end`,
        input: () => this.slide(which),
        change: () => this.release(),
      });
    this.low = slider("low");
    this.high = slider("high");
    this.number = h("input", {
      type: "number",
      class: "number",
      step: "any",
      "aria-label": `${name}, as a number`,
      change: () => this.type(),
    });
    this.canvas = h("canvas", { class: "range-picture" });
    new ResizeObserver(() => this.fit()).observe(this.canvas);
    this.value = h("span", { class: "forecast" });
    const segments = h("div", { class: "kinds", role: "radiogroup", "aria-label": `what to ask of ${name}` });
    for (const [kind, label, title] of LABELS) {
      const button = h(
        "button",
        { type: "button", role: "radio", title: `${name}: ${title}`, click: () => this.choose(kind) },
        label,
      );
      this.kinds.set(kind, button);
      segments.append(button);
    }
    this.element = h(
      "section",
      { class: "control", "data-objective": objective.name },
      h(
        "header",
        {},
        h("span", { class: "name", title: objective.expression || "return of the environment" }, name),
        h("span", { class: "unit", title: objective.unit }, objective.unit),
        this.value,
      ),
      h("div", { class: "track" }, this.canvas, this.low, this.high),
      h("footer", {}, segments, this.number),
    );
  }

  /** The range of the slider and the picture behind it. */
  setRange(low: number, high: number, values: Float32Array): void {
    const pad = 0.04 * (high - low || 1);
    this.from = low - pad;
    this.to = high + pad;
    for (const slider of [this.low, this.high]) {
      slider.min = String(this.from);
      slider.max = String(this.to);
      slider.step = String((this.to - this.from) / 500);
    }
    const bins = new Array<number>(48).fill(0);
    for (const value of values) {
      const bin = Math.floor(((value - this.from) / (this.to - this.from)) * bins.length);
      if (bin >= 0 && bin < bins.length) ++bins[bin];
    }
    const most = Math.max(...bins, 1);
    this.bins = bins.map((count) => Math.sqrt(count / most));
    if (!(this.wish.low >= this.from && this.wish.low <= this.to)) this.wish.low = (low + high) / 2;
    if (!(this.wish.high >= this.from && this.wish.high <= this.to)) this.wish.high = (low + high) / 2;
    this.show();
  }

  set(wish: Partial<Wish>): void {
    Object.assign(this.wish, wish);
    this.show();
  }

  setForecast(forecast: Forecast | null): void {
    this.forecast = forecast;
    this.show();
  }

  setRealised(value: number): void {
    this.realised = value;
    this.draw();
  }

  private choose(kind: Kind): void {
    // A new wish begins where the map is.
    const here = this.forecast?.predicted[this.objective.name];
    if (this.wish.kind === "free" && here !== undefined) {
      this.wish.low = tidy(here);
      this.wish.high = tidy(here);
    }
    if (kind === "range" && this.wish.low >= this.wish.high) {
      const half = (this.to - this.from) / 12;
      this.wish.low = tidy(Math.max(this.wish.low - half, this.from));
      this.wish.high = tidy(Math.min(this.wish.high + half, this.to));
    }
    this.wish.kind = kind;
    this.show();
    this.changed();
  }

  private slide(which: "low" | "high"): void {
    const kind = this.wish.kind;
    if (kind === "free" || kind === "max" || kind === "min") this.wish.kind = "target";
    const value = tidy(Number(which === "low" ? this.low.value : this.high.value));
    if (this.wish.kind === "range") this.wish[which] = value;
    else this.wish.low = this.wish.high = value;
    this.dragging = true;
    this.show();
    this.changed();
  }

  /** The value stays, so it is asked for once more, in earnest. */
  private release(): void {
    this.dragging = false;
    this.changed();
  }

  private type(): void {
    const value = Number(this.number.value);
    if (!Number.isFinite(value) || this.number.value === "") return this.show();
    if (this.wish.kind === "free") this.wish.kind = "target";
    if (this.wish.kind === "range") this.wish.low = value;
    else this.wish.low = this.wish.high = value;
    this.show();
    this.changed();
  }

  private show(): void {
    const { kind, low, high } = this.wish;
    this.element.dataset.kind = kind;
    this.low.value = String(low);
    this.high.value = String(high);
    this.high.hidden = kind !== "range";
    const bounded = kind === "target" || kind === "atleast" || kind === "range";
    this.number.value = kind === "atmost" ? String(tidy(high)) : bounded ? String(tidy(low)) : "";
    this.number.disabled = kind === "max" || kind === "min";
    for (const [one, button] of this.kinds) {
      button.setAttribute("aria-checked", String(one === kind));
    }
    const predicted = this.forecast?.predicted[this.objective.name];
    const interval = this.forecast?.interval[this.objective.name];
    this.value.textContent =
      predicted === undefined
        ? ""
        : formatNumber(predicted) + (interval ? ` ± ${formatNumber((interval[1] - interval[0]) / 2)}` : "");
    this.draw();
  }

  private fit(): void {
    this.size = [this.canvas.clientWidth, this.canvas.clientHeight];
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.size[0] * ratio);
    this.canvas.height = Math.round(this.size[1] * ratio);
    this.draw();
  }

  draw(): void {
    const [width, height] = this.size;
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    // The thumbs' centres run from 7 px to width - 7 px.
    const place = (value: number) => 7 + ((value - this.from) / (this.to - this.from)) * (width - 14);
    pen.fillStyle = ink("--histogram");
    const step = (width - 14) / this.bins.length;
    this.bins.forEach((share, bin) => {
      pen.fillRect(7 + bin * step, height - 4 - share * (height - 6), Math.max(step - 1, 1), share * (height - 6));
    });
    const { kind, low, high } = this.wish;
    pen.fillStyle = ink("--wished");
    if (kind === "atleast") pen.fillRect(place(low), 0, width - place(low), height - 3);
    if (kind === "atmost") pen.fillRect(0, 0, place(high), height - 3);
    if (kind === "range") pen.fillRect(place(Math.min(low, high)), 0, place(Math.max(low, high)) - place(Math.min(low, high)), height - 3);
    const interval = this.forecast?.interval[this.objective.name];
    const predicted = this.forecast?.predicted[this.objective.name];
    const pencil = this.forecast?.feasible === false ? ink("--ghost") : ink("--lane-a");
    if (interval) {
      pen.fillStyle = pencil;
      pen.globalAlpha = 0.35;
      pen.fillRect(place(interval[0]), height / 2 - 5, Math.max(place(interval[1]) - place(interval[0]), 2), 10);
      pen.globalAlpha = 1;
    }
    if (predicted !== undefined) {
      pen.fillStyle = pencil;
      pen.fillRect(place(predicted) - 1, height / 2 - 8, 2, 16);
    }
    if (Number.isFinite(this.realised)) {
      pen.fillStyle = ink("--text");
      const x = Math.min(Math.max(place(this.realised), 4), width - 4);
      pen.beginPath();
      pen.moveTo(x - 4, 0);
      pen.lineTo(x + 4, 0);
      pen.lineTo(x, 6);
      pen.fill();
    }
  }
}

/** All controls of a model. */
export class Controls {
  readonly element = h("div", { class: "controls" });
  private controls: Control[] = [];

  constructor(private readonly changed: () => void) {}

  setModel(info: ModelInfo, map: MapData): void {
    const kept = this.wishes();
    this.controls = info.objectives.map((objective) => new Control(objective, this.changed));
    this.element.replaceChildren(...this.controls.map((control) => control.element));
    this.controls.forEach((control, k) => {
      const column = new Float32Array(map.count);
      for (let row = 0; row < map.count; ++row) column[row] = map.values[row * map.objectives + k];
      const sorted = column.slice().sort();
      control.setRange(quantile(sorted, 0.005), quantile(sorted, 0.995), column);
      const wish = kept[control.objective.name];
      if (wish) control.set(wish);
    });
  }

  get dragging(): boolean {
    return this.controls.some((control) => control.dragging);
  }
  wishes(): Wishes {
    return Object.fromEntries(this.controls.map((control) => [control.objective.name, { ...control.wish }]));
  }
  setWishes(wishes: Wishes): void {
    for (const control of this.controls) control.set(wishes[control.objective.name] ?? { kind: "free" });
  }
  set(name: string, wish: Partial<Wish>): void {
    this.controls.find((control) => control.objective.name === name)?.set(wish);
  }
  wish(name: string): Wish | undefined {
    return this.controls.find((control) => control.objective.name === name)?.wish;
  }
  /** Moves the bound or target `asked` to the value that goes with all others. False without such a control. */
  relax(name: string, asked: number, needed: number): boolean {
    const wish = this.wish(name);
    if (!wish) return false;
    // A little beyond, so that rounding does not ask for the impossible again.
    const value = tidy(needed);
    if (wish.kind === "range") {
      const lower = Math.abs(wish.low - asked) <= Math.abs(wish.high - asked);
      this.set(name, lower ? { low: value } : { high: value });
    } else this.set(name, { low: value, high: value });
    return true;
  }
  setForecast(forecast: Forecast | null): void {
    for (const control of this.controls) control.setForecast(forecast);
  }
  setRealised(values: (index: number) => number): void {
    this.controls.forEach((control, index) => control.setRealised(values(index)));
  }
  redraw(): void {
    for (const control of this.controls) control.draw();
  }
}
