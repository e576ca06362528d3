// Who controls the robot: the chip in the top bar.

import type { Role } from "./api";
import { h } from "./dom";

export class RoleChip {
  readonly element: HTMLButtonElement;

  constructor(click: () => void) {
    this.element = h("button", { type: "button", class: "chip", click });
  }

  show(role: Role): void {
    const company = role.viewers > 1 ? ` · ${role.viewers} viewers` : "";
    const words = role.controller
      ? ["you control", "give control back"]
      : role.free
        ? ["take control", "nobody controls the robot"]
        : ["watching", "another viewer controls the robot"];
    this.element.textContent = words[0] + company;
    this.element.title = words[1];
    this.element.disabled = !role.controller && !role.free;
    this.element.dataset.role = role.controller ? "controller" : role.free ? "free" : "viewer";
  }

  showDisconnected(): void {
    this.element.textContent = "not connected";
  }
}
