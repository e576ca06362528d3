import { expect, test } from "vitest";
import { knownPolicies, mapOf, newestOf } from "../src/policies";

const LIST = {
  training: true,
  agents: [
    { agent: 0, weights: [1, 0], policies: [] },
    {
      agent: 2,
      weights: [0.5, 0.5],
      policies: [
        { iteration: 5, returns: [10, -1] },
        { iteration: 10, returns: null },
        { iteration: 15, returns: [30, -3] },
      ],
    },
    { agent: 3, weights: [0, 1], policies: [{ iteration: 5, returns: [0, 0] }] },
  ],
};

test("the points of the map are the policies with known returns, in order", () => {
  expect(knownPolicies(LIST).map(({ agent, iteration }) => [agent, iteration])).toEqual([
    [2, 5],
    [2, 15],
    [3, 5],
  ]);
  const map = mapOf(LIST, 2, "sampled");
  expect(map.count).toBe(3);
  expect([...map.values]).toEqual([10, -1, 30, -3, 0, 0]);
  expect([...(map.columns?.iteration ?? [])]).toEqual([5, 15, 5]);
  expect([...(map.columns?.agent ?? [])]).toEqual([2, 2, 3]);
});

test("the newest policy is that of the agent that plays, or of the first that has one", () => {
  expect(newestOf(LIST, 3)).toEqual({ agent: 3, iteration: 5 });
  expect(newestOf(LIST, undefined)).toEqual({ agent: 2, iteration: 15 });
  expect(newestOf(LIST, 0)).toEqual({ agent: 2, iteration: 15 });
  expect(newestOf({ training: true, agents: [LIST.agents[0]] }, 0)).toBeNull();
});
