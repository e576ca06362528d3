// The dialog that makes a schedule: questions that take over at given steps.

import { h } from "./dom";
import * as q from "./query";

export interface ScheduleLine {
  step: number;
  blend: number;
  query: q.Query;
}

interface Page {
  query(): q.Query;
  blend(): number;
  play(lines: ScheduleLine[]): void;
  copy(text: string, what: string): void;
  say(text: string): void;
}

const STEPS_APART = 200; // proposed for the next question

export class ScheduleDialog {
  readonly element: HTMLDialogElement;
  private lines: ScheduleLine[] = [];
  private readonly list = h("ol", { class: "schedule-list" });
  private readonly step = h("input", { type: "number", min: 0, step: 10, value: 0, "aria-label": "from step" });

  constructor(private readonly page: Page) {
    this.element = h(
      "dialog",
      { class: "dialog" },
      h("h2", {}, "Schedule"),
      h("p", {}, "Set the question with the controls, then add it here with the step at which it takes over."),
      this.list,
      h("div", { class: "row" }, "from step", this.step, h("button", { type: "button", click: () => this.add() }, "add this question")),
      h(
        "form",
        { method: "dialog", class: "row" },
        h("button", { type: "button", class: "primary", click: () => this.play() }, "play"),
        h("button", { type: "button", click: () => this.clear() }, "empty"),
        h("button", { type: "button", click: () => this.copy() }, "copy lines"),
        h("button", {}, "close"),
      ),
    );
  }

  open(): void {
    this.show();
    this.element.showModal();
  }

  private show(): void {
    this.list.replaceChildren(
      ...this.lines.map((line) => h("li", {}, h("b", {}, `from step ${line.step}`), ` ${q.asJson(line.query).replaceAll(/\s+/g, " ")}`)),
    );
    this.step.value = String(this.lines.length === 0 ? 0 : (this.lines.at(-1)?.step ?? 0) + STEPS_APART);
  }

  private add(): void {
    const asked = this.page.query();
    if (q.isEmpty(asked)) return this.page.say("Ask something first.");
    const at = this.lines.length === 0 ? 0 : Math.max(Number(this.step.value) || 0, 1);
    this.lines = this.lines.filter((line) => line.step !== at);
    this.lines.push({ step: at, blend: at === 0 ? 0 : this.page.blend(), query: asked });
    this.lines.sort((a, b) => a.step - b.step);
    this.show();
  }

  private play(): void {
    if (this.lines.length === 0) return this.page.say("The schedule is empty.");
    this.page.play(this.lines);
    this.element.close();
  }

  private clear(): void {
    this.lines = [];
    this.show();
  }

  private copy(): void {
    const text = this.lines.map((line) => JSON.stringify({ step: line.step, blend: line.blend, ...line.query })).join("\n");
    this.page.copy(`${text}\n`, "the schedule, for rhumb play --schedule");
  }
}
