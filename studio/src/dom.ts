// Elements in one expression.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (name === "class") element.className = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/** Icons are drawn with a pen of the text's colour. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export const ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M7 5v14M17 5v14",
  step: "M6 5v14l9-7zM18 5v14",
  restart: "M4 4v6h6M4.6 15a8 8 0 1 0 1.2-8.2L4 10",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
  push: "M3 12h13M11 6l6 6-6 6M21 5v14",
  film: "M4 6h11v12H4zM15 10l5-3v10l-5-3z",
  save: "M12 4v11M7 10l5 5 5-5M4 20h16",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  copy: "M9 9h10v11H9zM5 15V4h10",
  compare: "M12 4v16M5 8h4M5 12h4M15 8h4M15 12h4M5 16h4M15 16h4",
  camera: "M4 8h4l2-3h4l2 3h4v11H4zM12 16a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
};

/** A round button with an icon, or a plain one with a label beside it. */
export const button = (title: string, path: string, click: () => void, label = "") =>
  h("button", { type: "button", class: label ? "" : "round", title, "aria-label": label ? undefined : title, click }, icon(path), label);

/** Saves a file as the browser does. */
export function download(content: Blob, name: string): void {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
