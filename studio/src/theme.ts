// The colours of the theme, for canvases. Read once per change, because reading makes the browser
// compute styles.

let colours = new Map<string, string>();

export function ink(name: string): string {
  let colour = colours.get(name);
  if (colour === undefined) {
    colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#808080";
    colours.set(name, colour);
  }
  return colour;
}

export function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("rhumb-theme", theme);
  colours = new Map();
}

/** The theme chosen last, or else the one that the system prefers. */
export function restoreTheme(): void {
  setTheme(localStorage.getItem("rhumb-theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"));
}
