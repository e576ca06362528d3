// The map: every known code as a point, in the space of two objectives or in the plane of the codes:
// their UMAP, if the model stores it, or else their two principal directions. Click plays, a drag
// draws a lasso that narrows the question.

import type { MapData, ModelInfo } from "./api";
import { h } from "./dom";
import { formatNumber, formatTicks, quantile, ticks, viridis, words } from "./format";
import type { Wishes } from "./query";
import { ink } from "./theme";

export interface MapEvents {
  play(row: number): void;
  narrow(ranges: { name: string; low: number; high: number }[]): void;
}

export interface Marker {
  values: (index: number) => number;
  code?: number[];
  place?: number[]; // in the layout
  interval?: (index: number) => [number, number] | undefined;
  colour: string; // a property of the theme
  shape: "answer" | "ghost" | "dot";
}

const PAD = { left: 46, right: 10, top: 8, bottom: 24 };

export class MapView {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map-canvas", tabindex: 0, "aria-label": "map of the known codes" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly x = h("select", { "aria-label": "across", change: () => this.rescale() });
  private readonly y = h("select", { "aria-label": "upwards", change: () => this.rescale() });
  private readonly colour = h("select", { "aria-label": "colour", change: () => this.rescale() });
  private readonly ofValues = h(
    "button",
    { type: "button", role: "radio", title: "two quantities", click: () => this.setView(0) },
    "values",
  );
  private readonly ofCodes = h(
    "button",
    { type: "button", role: "radio", title: "the plane of the codes", click: () => this.setView(2) },
    "codes",
  );
  private readonly by = h("span", { class: "by" }, "×");
  private readonly legend = h("span", { class: "legend" });
  private readonly note = h("p", { class: "map-note", hidden: true });
  private info: ModelInfo | null = null;
  private data: MapData | null = null;
  private points = new Float32Array(); // [N, 2], in axis units
  private shades: string[] = [];
  private limits = { x: [0, 1], y: [0, 1] };
  private picture: HTMLCanvasElement | null = null;
  private markers: Marker[] = [];
  private wishes: Wishes = {};
  private hovered = -1;
  private lasso: [number, number][] = [];
  private dragging = false;
  private size: [number, number] = [0, 0];

  constructor(private readonly events: MapEvents) {
    this.element = h(
      "section",
      { class: "map" },
      h(
        "header",
        {},
        h("h2", {}, "Map"),
        h("div", { class: "kinds views", role: "radiogroup", "aria-label": "view" }, this.ofValues, this.ofCodes),
        h("span", { class: "spacer" }),
        this.x,
        this.by,
        this.y,
      ),
      h("div", { class: "map-axes" }, "colour", this.colour, this.legend),
      h("div", { class: "map-area" }, this.canvas, this.tip),
      this.note,
    );
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerdown", (event) => this.down(event));
    this.canvas.addEventListener("pointerup", (event) => this.up(event));
    this.canvas.addEventListener("pointerleave", () => {
      this.hovered = -1;
      this.tip.hidden = true;
      this.draw();
    });
    new ResizeObserver(() => this.repaint()).observe(this.canvas);
  }

  setModel(info: ModelInfo, data: MapData): void {
    this.info = info;
    this.data = data;
    const names = info.objectives.map((objective) => objective.name);
    const option = (value: string, text: string) => h("option", { value }, text);
    const hasCodes = data.places.length > 0;
    const axes = () => [
      ...names.map((name) => option(name, words(name))),
      ...(hasCodes ? [option("code 1", "1st axis"), option("code 2", "2nd axis")] : []),
      ...Object.keys(data.columns ?? {}).map((name) => option(name, name)),
    ];
    this.x.replaceChildren(...axes());
    this.y.replaceChildren(...axes());
    this.ofValues.hidden = names.length === 1;
    this.ofCodes.hidden = !hasCodes;
    this.colour.replaceChildren(
      ...names.map((name) => option(name, words(name))),
      ...Object.keys(data.columns ?? {}).map((name) => option(name, name)),
      ...(data.deviations.length ? [option("unsteady", "unsteadiness")] : []),
      ...(data.explored.length ? [option("explored", "where tried")] : []),
    );
    this.x.value = names[0];
    this.y.value = names[1] ?? (hasCodes ? "code 1" : "iteration");
    this.colour.value = data.columns?.iteration ? "iteration" : (names[Math.min(info.shaping, names.length - 1)] ?? names[0]);
    this.rescale();
  }

  /** New points of the same kind; the axes stay as they were chosen. */
  update(data: MapData): void {
    this.data = data;
    this.hovered = -1;
    this.rescale();
  }

  /** The plane of two quantities, or of the codes. */
  private setView(first: 0 | 2): void {
    const names = this.info?.objectives.map((objective) => objective.name) ?? [];
    this.x.value = first === 0 ? names[0] : "code 1";
    this.y.value = first === 0 ? (names[1] ?? "code 1") : "code 2";
    this.rescale();
  }

  setMarkers(markers: Marker[]): void {
    this.markers = markers;
    this.draw();
  }
  setWishes(wishes: Wishes): void {
    this.wishes = wishes;
    this.draw();
  }

  private column(name: string): Float32Array {
    const { info, data } = this;
    const column = new Float32Array(data?.count ?? 0);
    if (!info || !data) return column;
    const index = info.objectives.findIndex((objective) => objective.name === name);
    const places = data.layout.length > 0 ? data.layout : data.places;
    const own = data.columns?.[name];
    for (let row = 0; row < data.count; ++row) {
      if (own) column[row] = own[row];
      else if (name === "code 1") column[row] = places[2 * row];
      else if (name === "code 2") column[row] = places[2 * row + 1];
      else if (name === "explored") column[row] = data.explored[row];
      else if (name === "unsteady") {
        // The largest deviation, in standard deviations of the labels.
        for (let k = 0; k < info.shaping; ++k) {
          const share = data.deviations[row * data.objectives + k] / (info.objectives[k].std || 1);
          column[row] = Math.max(column[row], share);
        }
      } else column[row] = data.values[row * data.objectives + index];
    }
    return column;
  }

  private rescale(): void {
    if (!this.data) return;
    const isCodes = this.x.value.startsWith("code ") && this.y.value.startsWith("code ");
    this.ofValues.setAttribute("aria-checked", String(!isCodes));
    this.ofCodes.setAttribute("aria-checked", String(isCodes));
    for (const select of [this.x, this.by, this.y]) select.hidden = isCodes;
    const hasLayout = this.data.layout.length > 0;
    this.note.hidden = !isCodes;
    this.note.textContent = hasLayout
      ? "UMAP of the codes: neighbours are alike, the axes have no unit."
      : "The codes' two principal directions: this model stores no UMAP (rhumb model layout makes one).";
    const [x, y, colour] = [this.x, this.y, this.colour].map((select) => this.column(select.value));
    this.points = new Float32Array(2 * this.data.count);
    const limits = (column: Float32Array): [number, number] => {
      const sorted = column.slice().sort();
      const [low, high] = [quantile(sorted, 0.002), quantile(sorted, 0.998)];
      const pad = 0.05 * (high - low || 1);
      return [low - pad, high + pad];
    };
    this.limits = { x: limits(x), y: limits(y) };
    const sorted = colour.slice().sort();
    const two = this.colour.value === "explored";
    const [low, high] = two ? [0, 1] : [quantile(sorted, 0.02), quantile(sorted, 0.98)];
    this.shades = [];
    for (let row = 0; row < this.data.count; ++row) {
      this.points[2 * row] = x[row];
      this.points[2 * row + 1] = y[row];
      const [r, g, b] = viridis(0.06 + 0.9 * ((colour[row] - low) / (high - low || 1)));
      this.shades.push(`rgb(${r},${g},${b})`);
    }
    this.legend.replaceChildren(
      two ? "policies" : formatNumber(low),
      h("span", { class: "ramp" }),
      two ? "between" : formatNumber(high),
    );
    this.repaint();
  }

  private px(value: number): number {
    const [low, high] = this.limits.x;
    return PAD.left + ((value - low) / (high - low)) * (this.size[0] - PAD.left - PAD.right);
  }
  private py(value: number): number {
    const [low, high] = this.limits.y;
    return this.size[1] - PAD.bottom - ((value - low) / (high - low)) * (this.size[1] - PAD.top - PAD.bottom);
  }

  /** Paints the points, which change seldom, to a picture of their own. */
  repaint(): void {
    this.size = [this.canvas.clientWidth, this.canvas.clientHeight];
    const [width, height] = this.size;
    if (width < 50 || height < 50) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const picture = document.createElement("canvas");
    picture.width = this.canvas.width;
    picture.height = this.canvas.height;
    const pen = picture.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    pen.strokeStyle = ink("--line");
    pen.fillStyle = ink("--muted");
    pen.font = "10.5px system-ui, sans-serif";
    pen.lineWidth = 1;
    const across = ticks(this.limits.x[0], this.limits.x[1], Math.max(2, width / 80));
    const up = ticks(this.limits.y[0], this.limits.y[1], Math.max(2, height / 50));
    const [acrossTexts, upTexts] = [formatTicks(across), formatTicks(up)];
    for (const [index, value] of across.entries()) {
      const at = Math.round(this.px(value)) + 0.5;
      pen.beginPath();
      pen.moveTo(at, PAD.top);
      pen.lineTo(at, height - PAD.bottom);
      pen.stroke();
      pen.textAlign = "center";
      pen.fillText(acrossTexts[index], at, height - 8);
    }
    for (const [index, value] of up.entries()) {
      const at = Math.round(this.py(value)) + 0.5;
      pen.beginPath();
      pen.moveTo(PAD.left, at);
      pen.lineTo(width - PAD.right, at);
      pen.stroke();
      pen.textAlign = "right";
      pen.fillText(upTexts[index], PAD.left - 5, at + 3.5);
    }
    pen.save();
    pen.beginPath();
    pen.rect(PAD.left, PAD.top, width - PAD.left - PAD.right, height - PAD.top - PAD.bottom);
    pen.clip();
    pen.globalAlpha = 0.8;
    const radius = this.shades.length > 500 ? 1.7 : 3.2;
    for (let row = 0; row < this.shades.length; ++row) {
      pen.fillStyle = this.shades[row];
      pen.beginPath();
      pen.arc(this.px(this.points[2 * row]), this.py(this.points[2 * row + 1]), radius, 0, 7);
      pen.fill();
    }
    pen.restore();
    this.picture = picture;
    this.draw();
  }

  draw(): void {
    const pen = this.canvas.getContext("2d");
    if (!pen || !this.picture) return;
    const ratio = window.devicePixelRatio || 1;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawWishes(pen, ink("--excluded"), ink("--lane-a"));
    for (const marker of this.markers) this.drawMarker(pen, marker);
    if (this.hovered >= 0) {
      pen.strokeStyle = ink("--text");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(this.px(this.points[2 * this.hovered]), this.py(this.points[2 * this.hovered + 1]), 5, 0, 7);
      pen.stroke();
    }
    if (this.lasso.length > 1) {
      pen.strokeStyle = ink("--text");
      pen.setLineDash([4, 3]);
      pen.beginPath();
      this.lasso.forEach(([x, y], index) => (index === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
      pen.closePath();
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  /** The part of the picture inside the axes, and places moved to its edge if they lie beyond. */
  private frame() {
    const [width, height] = this.size;
    const box = { left: PAD.left, right: width - PAD.right, top: PAD.top, bottom: height - PAD.bottom };
    const clampX = (at: number) => Math.min(Math.max(at, box.left), box.right);
    const clampY = (at: number) => Math.min(Math.max(at, box.top), box.bottom);
    return { box, clampX, clampY };
  }

  /** Shades what the question excludes, and draws lines at targets. */
  private drawWishes(pen: CanvasRenderingContext2D, shade: string, line: string): void {
    const { box, clampX, clampY } = this.frame();
    for (const axis of ["x", "y"] as const) {
      const wish = this.wishes[this[axis].value];
      if (!wish) continue;
      const [low, high] = [Math.min(wish.low, wish.high), Math.max(wish.low, wish.high)];
      pen.fillStyle = shade;
      const below = wish.kind === "atleast" ? wish.low : wish.kind === "range" ? low : null;
      const above = wish.kind === "atmost" ? wish.high : wish.kind === "range" ? high : null;
      if (axis === "x") {
        if (below !== null) pen.fillRect(box.left, box.top, clampX(this.px(below)) - box.left, box.bottom - box.top);
        if (above !== null) {
          pen.fillRect(clampX(this.px(above)), box.top, box.right - clampX(this.px(above)), box.bottom - box.top);
        }
      } else {
        if (below !== null) {
          pen.fillRect(box.left, clampY(this.py(below)), box.right - box.left, box.bottom - clampY(this.py(below)));
        }
        if (above !== null) pen.fillRect(box.left, box.top, box.right - box.left, clampY(this.py(above)) - box.top);
      }
      if (wish.kind !== "target") continue;
      pen.strokeStyle = line;
      pen.setLineDash([5, 4]);
      pen.lineWidth = 1;
      pen.beginPath();
      if (axis === "x") {
        pen.moveTo(clampX(this.px(wish.low)), box.top);
        pen.lineTo(clampX(this.px(wish.low)), box.bottom);
      } else {
        pen.moveTo(box.left, clampY(this.py(wish.low)));
        pen.lineTo(box.right, clampY(this.py(wish.low)));
      }
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  private drawMarker(pen: CanvasRenderingContext2D, marker: Marker): void {
    const names = this.info?.objectives.map((objective) => objective.name) ?? [];
    const valueOn = (axis: string) => {
      if (!axis.startsWith("code ")) return names.includes(axis) ? marker.values(names.indexOf(axis)) : NaN;
      if (this.data && this.data.layout.length > 0) return marker.place?.[axis === "code 1" ? 0 : 1] ?? NaN;
      const { mean, directions } = this.data ?? { mean: [], directions: [] };
      const first = axis === "code 1" ? 0 : mean.length;
      return marker.code?.reduce((sum, number, n) => sum + directions[first + n] * (number - mean[n]), 0) ?? NaN;
    };
    const [i, j] = [names.indexOf(this.x.value), names.indexOf(this.y.value)];
    const { clampX, clampY } = this.frame();
    const [x, y] = [clampX(this.px(valueOn(this.x.value))), clampY(this.py(valueOn(this.y.value)))];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const pencil = ink(marker.colour);
    const [across, up] = [i < 0 ? undefined : marker.interval?.(i), j < 0 ? undefined : marker.interval?.(j)];
    if (across && up) {
      pen.fillStyle = pencil;
      pen.globalAlpha = 0.22;
      const [left, right] = across.map((value) => clampX(this.px(value)));
      const [bottom, top] = up.map((value) => clampY(this.py(value)));
      pen.fillRect(left, top, Math.max(right - left, 2), Math.max(bottom - top, 2));
      pen.globalAlpha = 1;
    }
    pen.strokeStyle = ink("--panel");
    pen.lineWidth = 5;
    const ring = () => {
      pen.beginPath();
      pen.arc(x, y, marker.shape === "dot" ? 3.5 : 7, 0, 7);
    };
    ring();
    pen.stroke();
    pen.strokeStyle = pencil;
    pen.lineWidth = 2.5;
    if (marker.shape === "ghost") pen.setLineDash([3, 3]);
    ring();
    if (marker.shape === "dot") {
      pen.fillStyle = pencil;
      pen.fill();
    } else pen.stroke();
    pen.setLineDash([]);
  }

  // --- the pointer -------------------------------------------------------------------------------

  private at(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private nearest(x: number, y: number): number {
    let best = -1;
    let least = 14 * 14;
    for (let row = 0; row < this.shades.length; ++row) {
      const dx = this.px(this.points[2 * row]) - x;
      const dy = this.py(this.points[2 * row + 1]) - y;
      const distance = dx * dx + dy * dy;
      if (distance < least) [best, least] = [row, distance];
    }
    return best;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.dragging = true;
    this.lasso = [this.at(event)];
    this.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const [x, y] = this.at(event);
    if (this.dragging) {
      const last = this.lasso[this.lasso.length - 1];
      if (Math.hypot(x - last[0], y - last[1]) > 3) this.lasso.push([x, y]);
      return this.draw();
    }
    this.hovered = this.nearest(x, y);
    this.tip.hidden = this.hovered < 0;
    if (this.hovered >= 0 && this.info && this.data) {
      const { data, info } = this;
      const rows = info.objectives.map((objective, k) =>
        h(
          "div",
          {},
          h("span", {}, words(objective.name)),
          h("b", {}, formatNumber(data.values[this.hovered * data.objectives + k])),
        ),
      );
      const others = Object.entries(data.columns ?? {}).map(([name, column]) =>
        h("div", {}, h("span", {}, name), h("b", {}, String(column[this.hovered]))),
      );
      this.tip.replaceChildren(...others, ...rows, h("em", {}, "click to play"));
      const left = x > this.size[0] / 2;
      this.tip.style.left = left ? "" : `${x + 12}px`;
      this.tip.style.right = left ? `${this.size[0] - x + 12}px` : "";
      this.tip.style.top = `${Math.min(y + 8, this.size[1] - 24 * (info.objectives.length + 1))}px`;
    }
    this.draw();
  }

  private up(event: PointerEvent): void {
    if (!this.dragging) return;
    this.dragging = false;
    const path = this.lasso;
    this.lasso = [];
    const [x, y] = this.at(event);
    if (path.length < 6) {
      const row = this.nearest(x, y);
      if (row >= 0) this.events.play(row);
    } else {
      this.narrow(path);
    }
    this.draw();
  }

  /** Asks for the box around the points inside the lasso. */
  private narrow(path: [number, number][]): void {
    const inside = (x: number, y: number) => {
      let odd = false;
      for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
        const [[xi, yi], [xj, yj]] = [path[i], path[j]];
        if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
      }
      return odd;
    };
    const ranges = [this.x.value, this.y.value].map((name) => ({ name, low: Infinity, high: -Infinity }));
    for (let row = 0; row < this.shades.length; ++row) {
      const place = [this.points[2 * row], this.points[2 * row + 1]];
      if (!inside(this.px(place[0]), this.py(place[1]))) continue;
      ranges.forEach((range, axis) => {
        range.low = Math.min(range.low, place[axis]);
        range.high = Math.max(range.high, place[axis]);
      });
    }
    const names = this.info?.objectives.map((objective) => objective.name) ?? [];
    const known = ranges.filter((range) => range.low < range.high && names.includes(range.name));
    if (known.length > 0) this.events.narrow(known);
  }
}
