// Numbers and colours.

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1000) return Math.round(value).toLocaleString("en-US");
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return value.toFixed(3);
}

/** Numbers of an axis, all with as many digits after the point as the finest of them needs. */
export function formatTicks(values: number[]): string[] {
  const digits = (value: number) => /\.(\d+)$/.exec(String(Number(value.toFixed(6))))?.[1].length ?? 0;
  const most = Math.max(0, ...values.map(digits));
  const format = { minimumFractionDigits: most, maximumFractionDigits: most };
  return values.map((value) => (value === 0 ? "0" : value.toLocaleString("en-US", format)));
}

export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** "93 % likely to be as asked"; nothing where nothing is promised. 100 % would promise too much. */
export function likely(probability: number | undefined): string {
  if (probability === undefined || !(probability < 1)) return "";
  const share = probability > 0.99 ? "more than 99" : Math.round(100 * probability);
  return `${share} % likely to be as asked`;
}

// Viridis, which people with any colour vision can order.
const VIRIDIS = [
  [68, 1, 84], [72, 35, 116], [64, 67, 135], [52, 94, 141], [41, 120, 142], [32, 144, 140],
  [34, 167, 132], [68, 190, 112], [121, 209, 81], [189, 222, 38], [253, 231, 37],
];

export function viridis(share: number): [number, number, number] {
  const place = Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * (VIRIDIS.length - 1);
  const index = Math.min(Math.floor(place), VIRIDIS.length - 2);
  const rest = place - index;
  const at = (channel: number) =>
    Math.round(VIRIDIS[index][channel] + rest * (VIRIDIS[index + 1][channel] - VIRIDIS[index][channel]));
  return [at(0), at(1), at(2)];
}

export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return NaN;
  const place = share * (sorted.length - 1);
  const index = Math.floor(place);
  const next = Math.min(index + 1, sorted.length - 1);
  return sorted[index] + (place - index) * (sorted[next] - sorted[index]);
}

/** Round numbers for an axis, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const list: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9 * span; value += step) {
    list.push(Math.abs(value) < 1e-12 * span ? 0 : value);
  }
  return list;
}
