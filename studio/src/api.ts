// Talks to the server: HTTP for what is fetched once, a WebSocket for what moves.

import { decodeFrame, type Frame } from "./frame";
import type { Query } from "./query";

export interface Objective {
  name: string;
  unit: string;
  expression: string;
  min: number;
  max: number;
  mean: number;
  std: number;
  attainable: Record<string, [number, number]>;
}

export interface ModelInfo {
  name: string;
  kind: "model" | "population";
  argument: string;
  environment: string;
  title: string;
  modes: string[];
  main_mode: string;
  shaping: number;
  time_limit: number;
  control_step_s: number;
  code_size: number;
  objectives: Objective[];
}

export interface MapData {
  mode: string;
  rolledOut: boolean;
  count: number;
  objectives: number;
  values: Float32Array; // [count, K]
  deviations: Float32Array; // [count, K], or empty
  places: Float32Array; // [count, 2]: directions [2, H] times (code - mean)
  layout: Float32Array; // [count, 2]: the codes' UMAP, or empty if the model stores none
  mean: number[];
  directions: number[];
  explored: Uint8Array; // [count], or empty
  columns?: Record<string, Float32Array>; // [count] each: what else colours the points
}

/** The policies of a population so far. */
export interface PolicyList {
  training: boolean;
  agents: { agent: number; weights: number[]; policies: { iteration: number; returns: number[] | null }[] }[];
}

export interface Geom {
  type: string;
  body: number;
  position: [number, number, number];
  quaternion: [number, number, number, number];
  size: [number, number, number];
  colour: [number, number, number, number];
  mesh?: number;
  field?: number;
}

export interface SceneInfo {
  bodies: string[];
  masses: number[];
  geoms: Geom[];
  meshes: { vertices: string; faces: string }[];
  fields: { rows: number; columns: number; size: number[]; heights: string }[];
  extent: number;
  camera: { body: number; distance: number; azimuth: number; elevation: number; lookat: number[] };
}

export interface Answer {
  code: number[];
  predicted: Record<string, number>;
  interval: Record<string, [number, number]>;
  origin: string;
  distance_to_data: number;
  probability?: number; // that targets and requirements are met; absent without any
}

export interface Relaxation {
  requirement: string;
  quantity: string;
  asked: number;
  needed: number | null;
}

export interface SteerResult {
  id: number;
  status: string;
  query: Query & { words: string };
  answers: Answer[];
  place: number[]; // of the best, in the layout; empty if there is none
  infeasibility?: {
    reason: string;
    nearest: Record<string, number>;
    interval: Record<string, [number, number]>;
    code: number[];
    relax: Relaxation[];
  };
  interval?: { level: number; episodes: number };
  timing_ms: { solve: number };
}

export interface LaneState {
  lane: number;
  label: string;
  code: number[];
  place: number[];
  policy: { agent: number; iteration: number } | null;
  predicted: Record<string, number>;
  interval: Record<string, [number, number]>;
  ended: boolean;
  fell: boolean;
  steps: number;
  schedule: { step: number; blend: number; label: string }[];
}

export interface StageState {
  model: string;
  mode: string;
  paused: boolean;
  speed: number;
  seed: number;
  episode: number;
  lanes: LaneState[];
}

export interface Role {
  controller: boolean;
  free: boolean;
  viewers: number;
}

function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}
export const floatsOf = (text: string) => new Float32Array(bytesOf(text));
export const wordsOf = (text: string) => new Uint32Array(bytesOf(text));

export class Api {
  constructor(readonly token: string) {}

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(path, { headers: { Authorization: `Bearer ${this.token}` } });
    if (!response.ok) throw new Error(((await response.json()) as { error: string }).error);
    return (await response.json()) as T;
  }

  /** A file of the page. */
  async text(path: string): Promise<string> {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.text();
  }

  models = () => this.get<{ version: string; models: { name: string; kind: string; environment: string }[] }>("/api/models");
  model = (name: string) => this.get<ModelInfo>(`/api/models/${encodeURIComponent(name)}`);
  scene = (name: string) => this.get<SceneInfo>(`/api/models/${encodeURIComponent(name)}/scene`);

  policies = (name: string) => this.get<PolicyList>(`/api/models/${encodeURIComponent(name)}/policies`);

  async map(name: string, mode: string): Promise<MapData> {
    const raw = await this.get<Record<string, never>>(`/api/models/${encodeURIComponent(name)}/map/${mode}`);
    return {
      mode: raw.mode,
      rolledOut: raw.rolled_out,
      count: raw.count,
      objectives: raw.objectives,
      values: floatsOf(raw.values),
      deviations: floatsOf(raw.deviations),
      places: floatsOf(raw.places),
      layout: floatsOf(raw.layout),
      mean: raw.mean,
      directions: raw.directions,
      explored: new Uint8Array(bytesOf(raw.explored)),
    };
  }
}

export interface LiveEvents {
  open(): void;
  closed(): void;
  state(state: StageState): void;
  role(role: Role): void;
  answer(result: SteerResult): void;
  problem(sentence: string, id: number | undefined): void;
  frame(frame: Frame): void;
}

/** The WebSocket; opens itself again after a loss. */
export class Live {
  private socket: WebSocket | null = null;
  private delay = 250;

  constructor(
    private readonly token: string,
    private readonly events: LiveEvents,
  ) {
    this.connect();
  }

  send(message: Record<string, unknown>): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private connect(): void {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/live`;
    const socket = new WebSocket(address, ["rhumb.v1", `token.${this.token}`]);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.events.open();
    };
    socket.onclose = () => {
      this.events.closed();
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 5000);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data !== "string") {
        const frame = decodeFrame(event.data);
        if (frame) this.events.frame(frame);
        return;
      }
      const message = JSON.parse(event.data) as { type: string; error: string; id?: number };
      if (message.type === "state") this.events.state(message as unknown as StageState);
      if (message.type === "role") this.events.role(message as unknown as Role);
      if (message.type === "answer") this.events.answer(message as unknown as SteerResult);
      if (message.type === "error") this.events.problem(message.error, message.id);
    };
  }
}
