// The answer in words, and the table of what was asked, predicted and realised.

import type { SteerResult } from "./api";
import type { Forecast } from "./controls";
import { h } from "./dom";
import { formatNumber, likely, words } from "./format";
import type { Wish } from "./query";

/** What to do while there is no answer. */
export function hint(isPopulation: boolean, isEmpty: boolean): Node {
  const text = isPopulation
    ? "Policies of a population: what each brought in training, and what it brings now. A model that rhumb model train makes of them can be asked."
    : isEmpty
      ? "Drag a slider to ask for a value. Choose ≥ or ≤ for a requirement, max or min for a goal."
      : "The map's code plays. Press Enter to play the question's answer.";
  return h("p", { class: "hint" }, text);
}

/** The status, and the reason of a no with one button for each change that would help. */
export function answerRows(result: SteerResult, relax: (name: string, asked: number, needed: number) => void): Node[] {
  const solved = result.status === "solved";
  const rows: Node[] = [
    h(
      "p",
      { class: `status ${solved ? "good" : "bad"}` },
      h("b", {}, solved ? "solved" : result.status.replaceAll("_", " ")),
      " ",
      result.query.words,
    ),
  ];
  if (result.infeasibility && !solved) {
    // The nearest behaviour's values stand on the controls.
    const reason = result.infeasibility.reason.split("; the nearest behaviour")[0];
    rows.push(h("p", { class: "reason" }, `${reason}. The nearest behaviour is shown instead. Accept a change:`));
    for (const relaxation of result.infeasibility.relax) {
      if (relaxation.needed === null) continue;
      const needed = relaxation.needed;
      rows.push(
        h(
          "button",
          { type: "button", class: "relax", title: "accept this change", click: () => relax(relaxation.quantity, relaxation.asked, needed) },
          `${relaxation.requirement} → ${formatNumber(needed)}`,
        ),
      );
    }
  } else if (result.answers[0]) {
    const answer = result.answers[0];
    const from = answer.origin === "steered" || answer.origin === "mixed" ? "found between known codes" : "a known code";
    const promise = likely(answer.probability);
    rows.push(
      h("p", { class: "origin" }, promise && h("b", {}, promise), promise && "; ", `${from}, ${answer.distance_to_data.toFixed(2)} spacings from what was tried`),
    );
  }
  return rows;
}

function asked(wish: Wish | undefined): string {
  if (!wish || wish.kind === "free") return "";
  if (wish.kind === "max" || wish.kind === "min") return wish.kind;
  if (wish.kind === "range") return `${formatNumber(wish.low)} … ${formatNumber(wish.high)}`;
  const sign = wish.kind === "target" ? "=" : wish.kind === "atleast" ? "≥" : "≤";
  return `${sign} ${formatNumber(wish.kind === "atmost" ? wish.high : wish.low)}`;
}

/** Rows of the table. `pace` gives quantity k of a lane at its pace so far; `compared` adds lane B; `trained` says that a policy plays. */
export function tableRows(
  names: string[],
  wishes: Record<string, Wish>,
  forecast: Forecast | null,
  pace: (k: number, lane: number) => number,
  compared: boolean,
  trained = false,
): Node[] {
  const heads = ["", trained ? "" : "asked", trained ? "in training" : "predicted", compared ? "A so far" : "so far", ...(compared ? ["B"] : [])];
  const rows = names.map((name, k) => {
    const interval = forecast?.interval[name];
    const half = interval ? ` ± ${formatNumber((interval[1] - interval[0]) / 2)}` : "";
    return h(
      "tr",
      {},
      h("th", {}, words(name)),
      h("td", {}, asked(wishes[name])),
      h("td", { class: "predicted" }, forecast ? formatNumber(forecast.predicted[name]) + (compared ? "" : half) : ""),
      h("td", {}, formatNumber(pace(k, 0))),
      compared && h("td", { class: "lane-b" }, formatNumber(pace(k, 1))),
    );
  });
  return [h("tr", {}, ...heads.map((head) => h("th", {}, head))), ...rows];
}
