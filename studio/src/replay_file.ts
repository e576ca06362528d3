// Makes a replay: one HTML file with the robot, its poses and the viewer, which needs nothing else.

import type { Api, ModelInfo, SceneInfo } from "./api";
import { download } from "./dom";
import type { Episode } from "./episode";
import { formatNumber, words } from "./format";

export interface Replay {
  title: string;
  labels: string[]; // of the lanes
  theme: string;
  interval: number; // seconds between poses
  bodies: number;
  lanes: string[]; // base64 of float32 [poses, bodies, 7]
  scene: SceneInfo;
  rows: [string, string, string][]; // quantity, predicted for the episode, so far
}

export function toBase64(numbers: Float32Array): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const CHUNK = 0x8000; // characters that fit on the stack
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

// Text inside <script> ends at its first end tag, whatever quotes are around it.
const inScript = (text: string) => text.replaceAll(/<\/(?=script)/gi, "<\\/");
const inText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function makeReplay(replay: Replay, viewer: string, style: string): string {
  return `<!doctype html>
<html lang="en" data-theme="${replay.theme === "light" ? "light" : "dark"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inText(replay.title)}</title>
<style>${style.replaceAll(/<\/(?=style)/gi, "<\\/")}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="replay">${JSON.stringify(replay).replaceAll("<", "\\u003c")}</script>
<script type="module">${inScript(viewer)}</script>
</body>
</html>
`;
}

interface Shown {
  info: ModelInfo;
  scene: SceneInfo;
  episode: Episode;
  labels: string[];
}

/** Saves what has played of the episode. Returns what to tell the user. */
export async function saveReplay(api: Api, shown: Shown, predicted: Record<string, number>, realised: ArrayLike<number>): Promise<string> {
  const { info, scene, episode, labels } = shown;
  const poses = episode.poseArrays();
  if (!poses[0]?.length) return "Nothing has played yet.";
  const sheet = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")?.href ?? "";
  const [viewer, style] = await Promise.all([api.text("/replay.js"), api.text(sheet)]);
  const replay: Replay = {
    title: `${info.name} · Rhumb`,
    labels,
    theme: document.documentElement.dataset.theme ?? "dark",
    interval: episode.interval,
    bodies: scene.bodies.length,
    lanes: poses.map(toBase64),
    scene,
    rows: info.objectives.map(({ name }, k) => [words(name), formatNumber(predicted[name] ?? NaN), formatNumber(realised[k] ?? NaN)]),
  };
  const file = `rhumb-${info.name}.html`;
  download(new Blob([makeReplay(replay, viewer, style)], { type: "text/html" }), file);
  return `Saved: ${file}, ${episode.seconds.toFixed(1)} s that any browser plays.`;
}
