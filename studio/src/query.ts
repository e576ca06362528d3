// What the controls say, and the same as a query, a command, code and a link.

export type Kind = "free" | "target" | "atleast" | "atmost" | "range" | "max" | "min";
export const KINDS: Kind[] = ["free", "target", "atleast", "atmost", "range", "max", "min"];

export interface Wish {
  kind: Kind;
  low: number; // target, at least, or the range's lower end
  high: number; // at most, or the range's upper end
}

export type Wishes = Record<string, Wish>;

export interface Query {
  target?: Record<string, number>;
  require?: string[];
  maximise?: string[];
  minimise?: string[];
}

/** A number with four digits, or as many as a step of the slider needs. */
export function tidy(value: number): number {
  return Number(value.toPrecision(5));
}

export function toQuery(wishes: Wishes): Query {
  const query: Query = {};
  for (const [name, wish] of Object.entries(wishes)) {
    const low = tidy(wish.low);
    const high = tidy(wish.high);
    if (wish.kind === "target") (query.target ??= {})[name] = low;
    if (wish.kind === "atleast") (query.require ??= []).push(`${name}>=${low}`);
    if (wish.kind === "atmost") (query.require ??= []).push(`${name}<=${high}`);
    if (wish.kind === "range") {
      (query.require ??= []).push(`${Math.min(low, high)}<=${name}<=${Math.max(low, high)}`);
    }
    if (wish.kind === "max") (query.maximise ??= []).push(name);
    if (wish.kind === "min") (query.minimise ??= []).push(name);
  }
  return query;
}

export function isEmpty(query: Query): boolean {
  return Object.keys(query).length === 0;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export interface CopyContext {
  model: string;
  mode: string;
  confidence: number;
  origin: string;
}

export function asCommand(query: Query, context: CopyContext): string {
  const words = ["rhumb", "steer", /^[\w./-]+$/.test(context.model) ? context.model : quote(context.model)];
  for (const [name, value] of Object.entries(query.target ?? {})) words.push("--target", `${name}=${value}`);
  for (const text of query.require ?? []) words.push("--require", quote(text));
  for (const text of query.maximise ?? []) words.push("--maximise", text);
  for (const text of query.minimise ?? []) words.push("--minimise", text);
  words.push("--mode", context.mode);
  if (context.confidence > 0) words.push("--confidence", String(context.confidence));
  words.push("--rollouts", "8");
  return words.join(" ");
}

export function asJson(query: Query): string {
  return JSON.stringify(query, null, 2);
}

const pythonList = (list: string[]) => `[${list.map((text) => JSON.stringify(text)).join(", ")}]`;

export function asPython(query: Query, context: CopyContext): string {
  const words: string[] = [];
  if (query.target) {
    const pairs = Object.entries(query.target).map(([name, value]) => `${JSON.stringify(name)}: ${value}`);
    words.push(`{${pairs.join(", ")}}`);
  }
  if (query.require) words.push(`require=${pythonList(query.require)}`);
  if (query.maximise) words.push(`maximise=${pythonList(query.maximise)}`);
  if (query.minimise) words.push(`minimise=${pythonList(query.minimise)}`);
  words.push(`mode=${JSON.stringify(context.mode)}`);
  if (context.confidence > 0) words.push(`confidence=${context.confidence}`);
  return [
    "import rhumb",
    "",
    `model = rhumb.load(${JSON.stringify(context.model)})`,
    `result = model.steer(${words.join(", ")})`,
    `policy = result.best.policy(${JSON.stringify(context.mode)})`,
    "action = policy(observation)",
    "",
  ].join("\n");
}

export function asCpp(query: Query, context: CopyContext): string {
  const list = (texts: string[]) => `{${texts.map((text) => JSON.stringify(text)).join(", ")}}`;
  const parts: string[] = [];
  if (query.target) {
    parts.push(`.target = ${list(Object.entries(query.target).map(([name, value]) => `${name}=${value}`))}`);
  }
  if (query.require) parts.push(`.require = ${list(query.require)}`);
  if (query.maximise) parts.push(`.maximise = ${list(query.maximise)}`);
  if (query.minimise) parts.push(`.minimise = ${list(query.minimise)}`);
  const mode = context.mode === "mean" ? "kMean" : "kSampled";
  const confidence = context.confidence > 0 ? `, .confidence = ${context.confidence}` : "";
  return [
    '#include "rhumb/steer/embed.h"',
    "",
    "using namespace rhumb::steer;",
    `const BehaviourMap map = BehaviourMap::Load(${JSON.stringify(context.model)}, {.mode = ActionMode::${mode}${confidence}});`,
    `const Result result = map.Steer({${parts.join(", ")}});`,
    "CodePolicy policy = map.MakePolicy(result.answers.at(0).code);",
    "policy.Act(observation, action);",
    "",
  ].join("\n");
}

export function asCurl(query: Query, context: CopyContext): string {
  const body: Record<string, unknown> = { ...query, mode: context.mode };
  if (context.confidence > 0) body.confidence = context.confidence;
  return (
    `curl -s ${context.origin}/api/steer -H "Authorization: Bearer $TOKEN" ` +
    `-H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`
  );
}

// --- links ---------------------------------------------------------------------------------------

export interface Shared {
  model: string;
  mode: string;
  confidence: number;
  wishes: Wishes;
}

export function encodeShared(shared: Shared): string {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Null for anything that encodeShared does not make. */
export function decodeShared(text: string): Shared | null {
  try {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Shared;
    if (typeof value.model !== "string" || typeof value.mode !== "string") return null;
    if (typeof value.wishes !== "object" || value.wishes === null) return null;
    const wishes: Wishes = {};
    for (const [name, wish] of Object.entries(value.wishes)) {
      if (!KINDS.includes(wish.kind) || !Number.isFinite(wish.low) || !Number.isFinite(wish.high)) return null;
      wishes[name] = { kind: wish.kind, low: wish.low, high: wish.high };
    }
    const confidence = Number.isFinite(value.confidence) ? Math.min(Math.max(value.confidence, 0), 0.99) : 0;
    return { model: value.model, mode: value.mode, confidence, wishes };
  } catch {
    return null;
  }
}
