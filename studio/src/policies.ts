// The policies of a population, as they appear: one row per agent, with a slider over what it kept.

import type { MapData, ModelInfo, PolicyList } from "./api";
import { h } from "./dom";
import { formatNumber, words } from "./format";

export interface PolicyName {
  agent: number;
  iteration: number;
}

/** The policies whose returns are known, in the order of the list: the points of the map. */
export function knownPolicies(list: PolicyList): (PolicyName & { returns: number[] })[] {
  return list.agents.flatMap(({ agent, policies }) =>
    policies.flatMap(({ iteration, returns }) => (returns ? [{ agent, iteration, returns }] : [])),
  );
}

/** A map of policies: their returns in training, and who they are. */
export function mapOf(list: PolicyList, objectives: number, mode: string): MapData {
  const known = knownPolicies(list);
  return {
    mode,
    rolledOut: true,
    count: known.length,
    objectives,
    values: Float32Array.from(known.flatMap(({ returns }) => returns)),
    deviations: new Float32Array(),
    places: new Float32Array(),
    layout: new Float32Array(),
    mean: [],
    directions: [],
    explored: new Uint8Array(),
    columns: {
      iteration: Float32Array.from(known, ({ iteration }) => iteration),
      agent: Float32Array.from(known, ({ agent }) => agent),
    },
  };
}

/** The newest policy of an agent, or of the first that has one. */
export function newestOf(list: PolicyList, agent: number | undefined): PolicyName | null {
  const has = list.agents.filter(({ policies }) => policies.length > 0);
  const one = has.find((other) => other.agent === agent) ?? has[0];
  const last = one?.policies.at(-1);
  return one && last ? { agent: one.agent, iteration: last.iteration } : null;
}

class Row {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly when = h("span", { class: "when" });
  private readonly returns = h("span", { class: "returns" });
  private iterations: number[] = [];

  constructor(
    readonly agent: number,
    weights: string,
    play: (name: PolicyName) => void,
  ) {
    const chosen = () => this.iterations[Number(this.slider.value)];
    this.slider = h("input", {
      type: "range",
      min: 0,
      "aria-label": `iteration of agent ${agent}`,
      input: () => this.name(chosen()),
      change: () => play({ agent, iteration: chosen() }),
    });
    const newest = h(
      "button",
      { type: "button", class: "quiet", title: "play the newest policy of this agent", click: () => play({ agent, iteration: this.iterations.at(-1) ?? 0 }) },
      `agent ${agent}`,
    );
    this.element = h("li", { class: "agent" }, h("div", {}, newest, h("span", { class: "weights" }, weights), this.when), this.slider, this.returns);
  }

  private name(iteration: number | undefined): void {
    this.when.textContent = iteration === undefined ? "no policy yet" : `iteration ${iteration}`;
  }

  show(policies: PolicyList["agents"][number]["policies"], names: string[], playing: PolicyName | null): void {
    this.iterations = policies.map(({ iteration }) => iteration);
    const plays = playing?.agent === this.agent;
    this.element.classList.toggle("plays", plays);
    const index = plays ? this.iterations.indexOf(playing.iteration) : this.iterations.length - 1;
    this.element.querySelector("button")?.toggleAttribute("disabled", policies.length === 0);
    this.slider.disabled = policies.length === 0;
    // A slider that is held keeps its place.
    if (this.slider.matches(":active")) return;
    this.slider.max = String(Math.max(this.iterations.length - 1, 0));
    this.slider.value = String(Math.max(index, 0));
    this.name(this.iterations[index]);
    const returns = policies[index]?.returns;
    this.returns.textContent = returns ? names.map((name, k) => `${words(name)} ${formatNumber(returns[k])}`).join(" · ") : "";
  }
}

export interface PoliciesHost {
  fetch(name: string): Promise<PolicyList>;
  playing(): PolicyName | null;
  mayPlay(): boolean;
  play(name: PolicyName): void;
  changed(points: MapData): void;
}

const REFRESH_MS = 2000;

/** Shown for a population, hidden for a model. */
export class PoliciesPanel {
  readonly element: HTMLElement;
  private list: PolicyList | null = null;
  private readonly state = h("span", { class: "chip state" });
  private readonly follow = h("input", { type: "checkbox", change: () => this.followNewest() });
  private readonly agents = h("ol", { class: "agents" });
  private readonly rows = new Map<number, Row>();
  private name = "";
  private objectives: string[] = [];

  constructor(private readonly host: PoliciesHost) {
    this.element = h(
      "aside",
      { class: "panel ask policies", hidden: true },
      h(
        "header",
        {},
        h("h2", {}, "Policies"),
        this.state,
        h("span", { class: "spacer" }),
        h("label", { class: "switch", title: "plays each new policy of the agent that plays" }, this.follow, "newest"),
      ),
      this.agents,
    );
    setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS);
  }

  /** Whether a population is shown. */
  get shown(): boolean {
    return this.list !== null;
  }

  /** `list` is null for a model. */
  setModel(info: ModelInfo, list: PolicyList | null): void {
    this.name = info.name;
    this.list = list;
    this.element.hidden = list === null;
    this.objectives = info.objectives.map((objective) => objective.name);
    this.rows.clear();
    this.agents.replaceChildren();
    this.show();
  }

  /** Plays a point of the map. */
  playRow(row: number): void {
    const policy = this.list ? knownPolicies(this.list)[row] : undefined;
    if (policy) this.choose({ agent: policy.agent, iteration: policy.iteration });
  }

  show(): void {
    if (!this.list) return;
    this.state.textContent = this.list.training ? "in training" : "finished";
    this.state.dataset.role = this.list.training ? "free" : "controller";
    for (const { agent, weights, policies } of this.list.agents) {
      let row = this.rows.get(agent);
      if (!row) {
        const text = weights.map((weight, k) => `${words(this.objectives[k] ?? "")} ${formatNumber(weight)}`).join(" · ");
        row = new Row(agent, text, (name) => this.choose(name));
        this.rows.set(agent, row);
        this.agents.append(row.element);
      }
      row.show(policies, this.objectives, this.host.playing());
    }
  }

  private choose(name: PolicyName): void {
    this.follow.checked = false;
    this.host.play(name);
  }

  /** Plays the newest policy of the agent that plays, if it is wanted and new. The first comes by itself. */
  private followNewest(): void {
    const playing = this.host.playing();
    if (!this.list || !this.host.mayPlay() || (playing && !this.follow.checked)) return;
    const newest = newestOf(this.list, playing?.agent);
    if (newest && newest.iteration !== playing?.iteration) this.host.play(newest);
  }

  private async refresh(): Promise<void> {
    const { name } = this;
    if (!this.list || document.hidden) return;
    const list = await this.host.fetch(name);
    if (this.name !== name || !this.list) return;
    const isSame = JSON.stringify(list) === JSON.stringify(this.list);
    this.list = list;
    this.show();
    this.followNewest();
    if (!isSame) this.host.changed(mapOf(list, this.objectives.length, ""));
  }
}
