// What a robot would bring in a whole episode, at its pace so far.

import type { LaneState, ModelInfo } from "./api";
import type { Frame } from "./frame";

const FIRST_STEPS = 20; // too few to tell

/** Quantity k of a lane; NaN while it cannot be told. */
export function paceAt(info: ModelInfo, frame: Frame, state: LaneState | undefined, k: number, lane: number): number {
  const value = frame.lanes[lane]?.realised[k];
  if (frame.step < FIRST_STEPS || value === undefined) return NaN;
  const expression = info.objectives[k].expression;
  const sums = expression === "" || expression.startsWith("sum(");
  const steps = state?.ended ? state.steps : frame.step;
  return sums ? (value / Math.max(steps, 1)) * info.time_limit : value;
}
