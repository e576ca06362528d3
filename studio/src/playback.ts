// Shows poses at an even pace, although frames come when they come.

import type { Frame } from "./frame";

interface Shown {
  at: number; // ms of the clock
  lanes: Float32Array[]; // [lane][bodies, 7]
}

/** What a scene shows. */
export interface Poses {
  /** The poses of the moment, between two that are known; null before the first. */
  sample(now: number): { from: Float32Array[]; to: Float32Array[]; share: number } | null;
}

const LEAD_MS = 20; // after a gap
const MOST_BEHIND_MS = 250;

export class Playback implements Poses {
  private queue: Shown[] = [];
  private episode = -1;

  /** `rate`: seconds of the robot per second of the clock. */
  push(frame: Frame, now: number, rate: number): void {
    if (frame.poses === 0) return;
    if (frame.episode !== this.episode || frame.lanes.length !== (this.queue.at(-1)?.lanes.length ?? -1)) {
      this.queue = [];
      this.episode = frame.episode;
    }
    let gap = (frame.interval * 1000) / Math.max(rate, 1e-3);
    const last = this.queue.at(-1)?.at ?? -Infinity;
    let next = last + gap;
    if (next < now) next = now + LEAD_MS;
    // Behind the server: catch up.
    if (next > now + MOST_BEHIND_MS) gap *= 0.5;
    const size = frame.bodies * 7;
    for (let pose = 0; pose < frame.poses; ++pose) {
      this.queue.push({
        at: next + pose * gap,
        lanes: frame.lanes.map((lane) => lane.poses.subarray(pose * size, (pose + 1) * size)),
      });
    }
  }

  sample(now: number): { from: Float32Array[]; to: Float32Array[]; share: number } | null {
    while (this.queue.length > 1 && this.queue[1].at <= now) this.queue.shift();
    const first = this.queue[0];
    if (!first) return null;
    const second = this.queue[1] ?? first;
    const span = second.at - first.at;
    const share = span > 0 ? Math.min(Math.max((now - first.at) / span, 0), 1) : 0;
    return { from: first.lanes, to: second.lanes, share };
  }
}
