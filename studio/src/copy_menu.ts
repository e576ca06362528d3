// Copying: a text, and the menu that copies the question for other programs.

import { h } from "./dom";
import * as q from "./query";

/** Puts a text on the clipboard and says so, or shows it where that is not allowed. */
export async function copyText(text: string, what: string, say: (text: string, lasting?: boolean) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${what}.`);
  } catch {
    say(text, true);
  }
}

interface Page {
  query(): q.Query;
  context(): q.CopyContext;
  copy(text: string, what: string): void;
  say(text: string): void;
}

const FORMS: [string, (asked: q.Query, context: q.CopyContext) => string][] = [
  ["command line", q.asCommand],
  ["JSON", (asked) => q.asJson(asked)],
  ["Python", q.asPython],
  ["C++", q.asCpp],
  ["curl", q.asCurl],
];

export function copyMenu(page: Page): HTMLElement {
  const menu = h("div", { class: "menu", hidden: true });
  const choose = (name: string, make: (typeof FORMS)[number][1]) => {
    menu.hidden = true;
    const asked = page.query();
    if (q.isEmpty(asked)) page.say("Ask something first.");
    else page.copy(make(asked, page.context()), name);
  };
  menu.replaceChildren(...FORMS.map(([name, make]) => h("button", { type: "button", click: () => choose(name, make) }, name)));
  return menu;
}
