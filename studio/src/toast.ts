// A line over the robot. It goes away after some seconds, unless it is to last.

import { h } from "./dom";

const MILLISECONDS = 5000;

export class Toast {
  readonly element = h("div", { class: "toast", role: "status", hidden: true });
  private timer = 0;

  readonly say = (text: string, lasting = false): void => {
    this.element.textContent = text;
    this.element.hidden = text === "";
    clearTimeout(this.timer);
    if (!lasting) this.timer = window.setTimeout(() => (this.element.hidden = true), MILLISECONDS);
  };
}
