// The labels of the behaviours that play.

import type { LaneState } from "./api";
import { h } from "./dom";

export function laneLabelsOf(lanes: LaneState[]): Node[] {
  return lanes.map((lane) =>
    h(
      "div",
      { class: `lane-label lane-${lane.lane}` },
      lanes.length > 1 && h("b", {}, lane.lane === 0 ? "A" : "B"),
      h("span", {}, lane.schedule.length > 1 ? `schedule: ${lane.label}` : lane.label),
      lane.fell && h("em", {}, "fell"),
    ),
  );
}
