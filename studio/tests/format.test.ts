import { expect, it } from "vitest";
import { formatNumber, formatTicks, likely, quantile, ticks, viridis } from "../src/format";

it("numbers have about three digits", () => {
  expect([0, 6001.4, -123.4, 12.34, 1.234, 0.1234, NaN].map(formatNumber)).toEqual([
    "0", "6,001", "-123", "12.3", "1.23", "0.123", "–",
  ]);
});

it("a promise is never whole", () => {
  expect([0.934, 0.004, 0.9999, 1, undefined].map(likely)).toEqual([
    "93 % likely to be as asked", "0 % likely to be as asked", "more than 99 % likely to be as asked", "", "",
  ]);
});

it("quantiles lie between order statistics", () => {
  expect(quantile([1, 2, 3], 0.25)).toBe(1.5);
  expect(quantile([5], 0.9)).toBe(5);
  expect(quantile([], 0.5)).toBeNaN();
});

it("ticks are round", () => {
  expect(ticks(-3600, -400, 4)).toEqual([-3000, -2000, -1000]);
  expect(ticks(0, 0, 4)).toEqual([0]);
});

it("colours run from dark to bright and stay inside", () => {
  expect(viridis(0)).toEqual([68, 1, 84]);
  expect(viridis(2)).toEqual([253, 231, 37]);
  expect(viridis(NaN)).toEqual([68, 1, 84]);
});

it("numbers of an axis have equally many digits", () => {
  expect(formatTicks([0, 5, 10])).toEqual(["0", "5", "10"]);
  expect(formatTicks([0.5, 1, -1000])).toEqual(["0.5", "1.0", "-1,000.0"]);
  expect(formatTicks([-0.02, 0.1 + 0.2])).toEqual(["-0.02", "0.30"]);
});
