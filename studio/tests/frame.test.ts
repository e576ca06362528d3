import { describe, expect, it } from "vitest";
import { decodeFrame } from "../src/frame";
import { Playback } from "../src/playback";

/** A frame as rhumb/serve/scene.cc writes it: one body, whose x is its number. */
function frameOf(step: number, episode: number, lanes: number, xs: number[], values = [1, 2, 3, 4]): ArrayBuffer {
  const perLane = xs.length * 7 + values.length;
  const buffer = new ArrayBuffer(40 + 4 * lanes * perLane);
  const view = new DataView(buffer);
  view.setUint32(0, 0x31424852, true);
  [step, episode, 1].forEach((word, index) => view.setUint32(4 + 4 * index, word, true));
  [step * 0.05, 0.01].forEach((word, index) => view.setFloat32(16 + 4 * index, word, true));
  [lanes, xs.length, 1, values.length].forEach((word, index) => view.setUint32(24 + 4 * index, word, true));
  for (let lane = 0; lane < lanes; ++lane) {
    const at = 40 + 4 * lane * perLane;
    xs.forEach((x, pose) => view.setFloat32(at + 28 * pose, x, true));
    values.forEach((value, index) => view.setFloat32(at + 28 * xs.length + 4 * index, value + lane, true));
  }
  return buffer;
}

describe("a frame", () => {
  it("is read", () => {
    const frame = decodeFrame(frameOf(3, 2, 2, [10, 11]));
    expect(frame).toMatchObject({ step: 3, episode: 2, ended: 1, poses: 2, bodies: 1 });
    expect(frame?.interval).toBeCloseTo(0.01);
    expect(frame?.lanes[1].poses[7]).toBe(11);
    expect([...(frame?.lanes[1].realised ?? [])]).toEqual([2]);
    expect([...(frame?.lanes[1].high ?? [])]).toEqual([5]);
  });

  it("is refused if it is not whole", () => {
    const whole = frameOf(3, 2, 1, [10]);
    expect(decodeFrame(whole.slice(0, -4))).toBeNull();
    expect(decodeFrame(new ArrayBuffer(3))).toBeNull();
    new DataView(whole).setUint32(24, 1e9, true);
    expect(decodeFrame(whole)).toBeNull();
    new DataView(whole).setUint32(0, 0, true);
    expect(decodeFrame(whole)).toBeNull();
  });
});

describe("playback", () => {
  const push = (playback: Playback, now: number, step: number, xs: number[], episode = 0, rate = 1) => {
    const frame = decodeFrame(frameOf(step, episode, 1, xs));
    if (frame) playback.push(frame, now, rate);
  };
  const shown = (playback: Playback, now: number) => {
    const sample = playback.sample(now);
    return sample ? sample.from[0][0] + sample.share * (sample.to[0][0] - sample.from[0][0]) : null;
  };

  it("shows poses at an even pace, between them too", () => {
    const playback = new Playback();
    expect(playback.sample(0)).toBeNull();
    push(playback, 0, 1, [0, 1, 2, 3]); // from 20 ms, one each 10 ms
    push(playback, 35, 2, [4, 5, 6, 7]); // goes on at 60 ms, though it came early
    expect(shown(playback, 20)).toBe(0);
    expect(shown(playback, 25)).toBeCloseTo(0.5);
    expect(shown(playback, 55)).toBeCloseTo(3.5);
    expect(shown(playback, 70)).toBeCloseTo(5);
    expect(shown(playback, 900)).toBe(7);
  });

  it("is slow in slow motion, and begins anew with an episode", () => {
    const playback = new Playback();
    push(playback, 0, 1, [0, 1], 0, 0.1);
    expect(shown(playback, 70)).toBeCloseTo(0.5);
    push(playback, 80, 0, [50], 1);
    expect(shown(playback, 101)).toBe(50);
  });
});
