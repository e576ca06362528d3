import { expect, test } from "vitest";
import { floatsOf } from "../src/api";
import { Episode } from "../src/episode";
import type { Frame } from "../src/frame";
import { makeReplay, toBase64, type Replay } from "../src/replay_file";

const lane = (...poses: number[]) => ({
  poses: new Float32Array(poses),
  realised: new Float32Array(),
  expected: new Float32Array(),
  low: new Float32Array(),
  high: new Float32Array(),
});
const frame = (episode: number, ...lanes: number[][]): Frame => ({
  step: 0,
  episode,
  ended: 0,
  time: 0,
  interval: 0.05,
  poses: lanes[0].length / 7,
  bodies: 1,
  lanes: lanes.map((poses) => lane(...poses)),
});
const pose = (x: number) => [x, 0, 0, 1, 0, 0, 0];

test("an episode keeps its poses, and a new one begins afresh", () => {
  const episode = new Episode();
  episode.add(frame(1, pose(1)));
  episode.add(frame(1, [...pose(2), ...pose(3)]));
  expect(episode.poseArrays()).toEqual([new Float32Array([...pose(1), ...pose(2), ...pose(3)])]);
  expect(episode.seconds).toBeCloseTo(0.15);
  episode.add(frame(2, pose(4)));
  expect(episode.poseArrays()).toEqual([new Float32Array(pose(4))]);
  // A second robot joins.
  episode.add(frame(2, pose(5), pose(6)));
  expect(episode.poseArrays()).toEqual([new Float32Array(pose(5)), new Float32Array(pose(6))]);
});

test("numbers survive base64", () => {
  const numbers = Float32Array.from({ length: 100_000 }, (_, i) => Math.sin(i));
  // toEqual takes seconds for so many.
  expect(floatsOf(toBase64(numbers)).every((number, i) => number === numbers[i])).toBe(true);
});

test("names and scripts cannot end the file's elements early", () => {
  const replay = {
    title: "<b>",
    labels: ["</script><script>alert(1)</script>"],
    theme: '"><script>',
    interval: 0.05,
    bodies: 1,
    lanes: [],
    scene: {},
    rows: [],
  } as unknown as Replay;
  const page = makeReplay(replay, 'const end = "</script>";', "a{} </style>");
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page).toContain('data-theme="dark"');
  const text = /id="replay">(.*)<\/script>\n<script type="module">/s.exec(page)?.[1] ?? "";
  expect(JSON.parse(text)).toEqual(replay);
});
