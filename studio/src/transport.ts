// The bar under the robot: pause, speed, time, and what one does with the robot.

import { button, h, icon, ICONS } from "./dom";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

interface Page {
  pause(): void;
  step(): void;
  restart(): void;
  speed(speed: number): void;
  push(): void;
  camera(): void;
  film(): void;
  save(): void;
}

export class Transport {
  readonly element: HTMLElement;
  private readonly pause: HTMLButtonElement;
  private readonly push: HTMLButtonElement;
  private readonly film: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly progress = h("progress", { max: 1, value: 0, "aria-label": "episode" });
  private readonly clock = h("span", { class: "clock" });

  constructor(page: Page) {
    this.pause = button("pause or go on (space)", ICONS.pause, () => page.pause());
    this.push = button("push the robot with the mouse (P, or hold shift)", ICONS.push, () => page.push());
    this.film = button("save a film (V)", ICONS.film, () => page.film());
    this.speed = h(
      "select",
      { "aria-label": "speed", title: "speed (1 to 6)", change: () => page.speed(Number(this.speed.value)) },
      ...SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`)),
    );
    this.element = h(
      "div",
      { class: "transport" },
      this.pause,
      button("one step (.)", ICONS.step, () => page.step()),
      button("begin again (R)", ICONS.restart, () => page.restart()),
      this.speed,
      this.progress,
      this.clock,
      this.push,
      button("camera as at first (H)", ICONS.camera, () => page.camera()),
      this.film,
      button("save a replay: a page of its own (B)", ICONS.save, () => page.save()),
    );
  }

  setState(paused: boolean, speed: number): void {
    this.pause.replaceChildren(icon(paused ? ICONS.play : ICONS.pause));
    this.speed.value = String(SPEEDS.find((one) => Math.abs(one - speed) < 1e-9) ?? 1);
  }

  /** `share` of the episode has passed, `seconds` in all. */
  setTime(share: number, seconds: number): void {
    this.progress.value = share;
    this.clock.textContent = `${seconds.toFixed(1)} s`;
  }

  setPushing(on: boolean): void {
    this.push.classList.toggle("on", on);
  }

  setFilming(on: boolean): void {
    this.film.classList.toggle("on", on);
  }

  setEnabled(enabled: boolean): void {
    this.speed.disabled = this.pause.disabled = !enabled;
  }
}
