// Settings of every question: confidence, how softly a new answer takes over, and whether it is tried before.

import { h } from "./dom";

const DEFAULT_BLEND = 20;
const TRIES = 4;

export class AskSettings {
  readonly element: HTMLElement;
  private readonly confidenceSlider: HTMLInputElement;
  private readonly blendSlider: HTMLInputElement;
  private readonly trySwitch = h("input", { type: "checkbox", checked: true, "aria-label": "try answers first" });
  private readonly confidenceText = h("output", {});
  private readonly blendText = h("output", {});

  /** `changed` hears of another confidence; the others count from the next answer on. */
  constructor(changed: () => void) {
    const confide = () => {
      this.show();
      changed();
    };
    this.confidenceSlider = h("input", { type: "range", min: 0, max: 0.95, step: 0.05, value: 0, "aria-label": "confidence", input: confide });
    this.blendSlider = h("input", { type: "range", min: 0, max: 100, step: 5, value: DEFAULT_BLEND, "aria-label": "blend", input: () => this.show() });
    this.element = h(
      "div",
      { class: "settings" },
      h("label", { title: "probability with which requirements must hold" }, "confidence", this.confidenceSlider, this.confidenceText),
      h("label", { title: "steps over which the robot changes to a new behaviour" }, "blend", this.blendSlider, this.blendText),
      h(
        "label",
        { title: `simulate up to ${TRIES} answers from where the robot is, and change to the one that takes over best: it falls less often, a moment later. Not while you drag.` },
        "try first",
        this.trySwitch,
      ),
    );
    this.show();
  }

  get confidence(): number {
    return Number(this.confidenceSlider.value);
  }

  set confidence(level: number) {
    this.confidenceSlider.value = String(level);
    this.show();
  }

  get blend(): number {
    return Number(this.blendSlider.value);
  }

  /** Answers that are tried before one takes over. */
  get tries(): number {
    return this.trySwitch.checked ? TRIES : 0;
  }

  private show(): void {
    this.confidenceText.textContent = this.confidence > 0 ? `${Math.round(100 * this.confidence)} %` : "off";
    this.blendText.textContent = this.blend === 0 ? "at once" : `${this.blend} steps`;
  }
}
