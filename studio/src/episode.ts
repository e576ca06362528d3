// The poses of the episode that plays, for a replay.

import type { Frame } from "./frame";

const MOST_POSES = 20_000;

export class Episode {
  interval = 0; // seconds between poses
  private episode = -1;
  private lanes: Float32Array[][] = []; // [lane][frame]
  private poses = 0;

  add(frame: Frame): void {
    if (frame.episode !== this.episode || frame.lanes.length !== this.lanes.length) {
      this.episode = frame.episode;
      this.lanes = frame.lanes.map(() => []);
      this.poses = 0;
    }
    if (frame.poses === 0 || this.poses + frame.poses > MOST_POSES) return;
    this.interval = frame.interval;
    this.poses += frame.poses;
    frame.lanes.forEach((lane, index) => this.lanes[index].push(lane.poses));
  }

  get seconds(): number {
    return this.poses * this.interval;
  }

  /** [lane][poses, bodies, 7] so far. */
  poseArrays(): Float32Array[] {
    return this.lanes.map((parts) => {
      const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.length;
      }
      return all;
    });
  }
}
