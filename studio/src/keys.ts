// The keys: what they do, and the dialog that lists them.

import { h } from "./dom";

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
  ["B", "save a replay, a page of its own"],
  ["T", "light or dark"],
  ["Escape", "free all wishes"],
];
export const help = h(
  "dialog",
  { class: "dialog" },
  h("h2", {}, "Keys and mouse"),
  h("dl", {}, ...KEYS.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
  h("p", {}, "Map: click a point to play it, draw a lasso to ask for what is inside. Robot: drag turns, wheel zooms."),
  h("form", { method: "dialog" }, h("button", {}, "close")),
);

/** Calls the action of a pressed key; digits from 1 on go to `digit`, which returns whether it knows them. */
export function listenToKeys(actions: Record<string, () => void>, digit: (number: number) => boolean): void {
  document.addEventListener("keydown", (event) => {
    const field = event.target instanceof HTMLInputElement && ["number", "text"].includes(event.target.type);
    if (field || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    // A focused button would take the space bar and Enter as a press.
    if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) action();
    else if (!digit(Number(event.key))) return;
    event.preventDefault();
  });
}
