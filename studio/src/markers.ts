// What the map marks: the answer, the behaviours that play, and their pace so far.

import type { LaneState, SteerResult } from "./api";
import type { Marker } from "./map";

/** A predicted behaviour. */
export interface Shown {
  predicted: Record<string, number>;
  interval: Record<string, [number, number]>;
  code: number[];
  place: number[];
}

/** The first answer, or else the nearest behaviour. */
export function bestOf(result: SteerResult): Shown | null {
  if (result.answers[0]) return { ...result.answers[0], place: result.place };
  const near = result.infeasibility;
  return near ? { predicted: near.nearest, interval: near.interval, code: near.code, place: result.place } : null;
}

/** `answer` stands for lane A where there is one. `pace` gives quantity k of a lane at its pace so far. */
export function markersOf(
  names: string[],
  lanes: LaneState[],
  answer: Shown | null,
  solved: boolean,
  pace: (k: number, lane: number) => number,
): Marker[] {
  const predicted = (shown: Shown, colour: string, shape: Marker["shape"]): Marker => ({
    values: (k) => shown.predicted[names[k]],
    interval: (k) => shown.interval[names[k]],
    code: shown.code,
    place: shown.place,
    colour,
    shape,
  });
  const markers = lanes
    .filter((lane) => lane.lane !== 0 || !answer)
    .map((lane) => predicted(lane, lane.lane === 0 ? "--lane-a" : "--lane-b", "answer"));
  if (answer) markers.push(solved ? predicted(answer, "--lane-a", "answer") : predicted(answer, "--ghost", "ghost"));
  for (const lane of lanes) {
    markers.push({ values: (k) => pace(k, lane.lane), colour: lane.lane === 0 ? "--text" : "--lane-b", shape: "dot" });
  }
  return markers;
}
