// What came so far, against what was predicted, as the episode goes on.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { ModelInfo } from "./api";
import { h } from "./dom";
import { formatTicks, words } from "./format";
import type { Frame } from "./frame";
import { ink } from "./theme";

const MOST_POINTS = 1200;

type Column = (number | null)[];

interface Series {
  time: number[];
  lanes: { realised: Column[]; expected: Column[]; low: Column[]; high: Column[] }[]; // [lane].x[k][point]
}

export class Chart {
  readonly element: HTMLElement;
  private readonly quantity = h("select", { "aria-label": "quantity of the chart", change: () => this.show(this.quantity.selectedIndex) });
  private readonly area = h("div", { class: "chart-area" });
  private plot: uPlot | null = null;
  private info: ModelInfo | null = null;
  private shown = 0;
  private episode = -1;
  private series: Series = { time: [], lanes: [] };
  private stale = true;

  constructor() {
    this.element = h(
      "section",
      { class: "chart" },
      h(
        "header",
        {},
        h("h2", {}, "So far"),
        this.quantity,
        h("span", { class: "spacer" }),
        h("span", { class: "key" }, h("i", { class: "solid" }), "realised", h("i", { class: "dashed" }), "predicted"),
      ),
      this.area,
    );
    new ResizeObserver(() => this.build()).observe(this.area);
  }

  setModel(info: ModelInfo): void {
    this.info = info;
    this.shown = 0;
    this.quantity.replaceChildren(...info.objectives.map((objective) => h("option", {}, words(objective.name))));
    this.clear();
    this.build();
  }

  private show(k: number): void {
    this.shown = k;
    this.build();
  }

  private clear(): void {
    this.series = { time: [], lanes: [] };
  }

  add(frame: Frame): void {
    const count = this.info?.objectives.length ?? 0;
    if (frame.episode !== this.episode || frame.lanes.length !== this.series.lanes.length) {
      this.clear();
      this.episode = frame.episode;
      const columns = () => Array.from({ length: count }, (): Column => []);
      this.series.lanes = frame.lanes.map(() => ({
        realised: columns(),
        expected: columns(),
        low: columns(),
        high: columns(),
      }));
      this.build();
    }
    if (frame.step === 0 || frame.lanes.some((lane) => lane.realised.length !== count)) return;
    const { time, lanes } = this.series;
    if (time.length > 0 && frame.time - time[time.length - 1] < 0.04) return;
    if (time.length >= MOST_POINTS) return;
    time.push(frame.time);
    // Nothing is predicted for some behaviours: a gap.
    const known = (value: number) => (Number.isFinite(value) ? value : null);
    frame.lanes.forEach((lane, index) => {
      for (let k = 0; k < count; ++k) {
        lanes[index].realised[k].push(known(lane.realised[k]));
        lanes[index].expected[k].push(known(lane.expected[k]));
        lanes[index].low[k].push(known(lane.low[k]));
        lanes[index].high[k].push(known(lane.high[k]));
      }
    });
    this.stale = true;
  }

  private data(): uPlot.AlignedData {
    const columns: Column[] = [this.series.time];
    for (const lane of this.series.lanes) {
      columns.push(
        lane.high[this.shown] ?? [],
        lane.low[this.shown] ?? [],
        lane.expected[this.shown] ?? [],
        lane.realised[this.shown] ?? [],
      );
    }
    return columns as uPlot.AlignedData;
  }

  build(): void {
    this.plot?.destroy();
    this.plot = null;
    const { clientWidth: width, clientHeight: height } = this.area;
    if (!this.info || width < 60 || height < 40) return;
    const axis = { stroke: ink("--muted"), grid: { stroke: ink("--line"), width: 1 }, ticks: { show: false } };
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    this.series.lanes.forEach((_, lane) => {
      const pencil = ink(lane === 0 ? "--lane-a" : "--lane-b");
      const first = series.length;
      series.push(
        { stroke: "transparent", points: { show: false } },
        { stroke: "transparent", points: { show: false } },
        { stroke: pencil, width: 1.5, dash: [6, 4], points: { show: false } },
        { stroke: pencil, width: 2.5, points: { show: false } },
      );
      bands.push({ series: [first, first + 1], fill: ink(lane === 0 ? "--band-a" : "--band-b") });
    });
    const end = this.info.time_limit * this.info.control_step_s;
    this.plot = new uPlot(
      {
        width,
        height,
        series,
        bands,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 20, 0, 0],
        scales: { x: { time: false, range: [0, end] } },
        axes: [
          { ...axis, size: 22, font: "10.5px system-ui", values: (_, list) => list.map((value) => `${value} s`) },
          { ...axis, size: 52, font: "10.5px system-ui", values: (_, list) => formatTicks(list) },
        ],
      },
      this.data(),
      this.area,
    );
  }

  draw(): void {
    if (!this.stale || !this.plot) return;
    this.stale = false;
    this.plot.setData(this.data());
  }
}
