import { median } from "../median.ts";
import { load } from "./load.ts";
import { atLeast, atMost, type Figure, sleep } from "./report.ts";
import type { Bench } from "./start.ts";
import { renewal, several } from "./webhooks.ts";

const CONNECTIONS = 128;

/** `one`: a commit for each webhook. `shipped`: the rules as shipped, of which a renewal makes three deliveries. */
const VARIANTS = ["shipped", "one"] as const;
type Variant = (typeof VARIANTS)[number];

/** `cost`: µs of CPU time. `p50`, `p99`: ms without the warm-up. */
type Round = { perSecond: number; cost: number; p50: number; p99: number };

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

const acceptOnce = async (bench: Bench, variant: Variant, path: string, requests: number, connections: number) => {
  const webhooks = await several(requests, (n) => renewal(path, n % 500));
  const cpu = bench.cpu();
  const { statuses, perSecond, times } = await load(bench.port, webhooks, connections);
  const cost = ((bench.cpu() - cpu) / requests) * 1e6;
  if (statuses.size !== 1 || !statuses.has(202)) throw new Error(`${variant}: ${JSON.stringify([...statuses])}`);
  // Open deliveries must not slow down the next rounds.
  if (variant !== "bare" && variant !== "none") await bench.act(path, "pause");
  const counted = times.slice(Math.floor(requests / 10));
  return { perSecond, cost, p50: quantile(counted, 0.5), p99: quantile(counted, 0.99) };
};

/** Compares accepted webhooks per second with simpler Workers. */
export const accepting = async (bench: Bench, rounds: number, requests: number): Promise<Figure[]> => {
  const many = new Map<Variant, Round[]>(VARIANTS.map((variant) => [variant, []]));
  const single = new Map<Variant, Round[]>(VARIANTS.map((variant) => [variant, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const variant of VARIANTS) {
      const path = `/${variant}/round${round}`;
      const measured = await acceptOnce(bench, variant, path, requests, CONNECTIONS);
      const alone = await acceptOnce(bench, variant, `${path}.1`, requests / 10, 1);
      // Warm-up.
      if (round === 0) continue;
      many.get(variant)?.push(measured);
      single.get(variant)?.push(alone);
    }
  }
  console.log("COST", JSON.stringify([...many].map(([v, r]) => [v, r.map(({ cost }) => Math.round(cost))])), JSON.stringify([...single].map(([v, r]) => [v, r.map(({ cost }) => Math.round(cost))])));
  const of = (variant: Variant, what: keyof Round, all = many) =>
    median((all.get(variant) ?? []).map((round) => round[what]));
  // Ratios within a round cancel out other load.
  const ratio = (a: Variant, b: Variant) =>
    median((many.get(a) ?? []).map(({ perSecond }, n) => perSecond / (many.get(b)?.[n]?.perSecond ?? Number.NaN)));
  const tail = (variant: Variant) => median((many.get(variant) ?? []).map(({ p50, p99 }) => p99 / p50));
  const rate = (variant: Variant) => {
    const cost = of(variant, "cost");
    return `${of(variant, "perSecond").toFixed(0)}/s${Number.isNaN(cost) ? "" : `, ${cost.toFixed(0)} µs`}`;
  };
  return [
    {
      what: `accepted at ${CONNECTIONS} connections: verified, planned, committed; CPU time of one`,
      value: rate("real"),
    },
    { what: "with the shipped rules: a renewal makes three deliveries", value: rate("shipped") },
    { what: "the same without the journal", value: rate("none") },
    { what: "a bare 202, the body read", value: rate("bare") },
    { what: "with a commit for each webhook", value: rate("one") },
    { what: "p50 at one connection, one delivery", value: `${of("real", "p50", single).toFixed(2)} ms` },
    { what: "p50 at one connection, shipped rules", value: `${of("shipped", "p50", single).toFixed(2)} ms` },
    atLeast("accepted / without the journal", ratio("real", "none"), 0.35),
    atLeast("without the journal / bare 202", ratio("none", "bare"), 0.4),
    atLeast("accepted / a commit for each webhook", ratio("real", "one"), 1.8),
    atLeast("accepted with the shipped rules / with one delivery", ratio("shipped", "real"), 0.7),
    atMost(`p99 / p50 at ${CONNECTIONS} connections, one delivery`, tail("real"), 3.5),
    atMost(`p99 / p50 at ${CONNECTIONS} connections, shipped rules`, tail("shipped"), 2.5),
  ];
};

/** Renewals that leave 58 500 open deliveries. */
const OPEN = 19_500;

/** Measures the first webhook after the object starts again with many open deliveries. */
export const acceptingAfterRestart = async (bench: Bench, times: number): Promise<Figure[]> => {
  const path = "/shipped/restart";
  await load(bench.port, [await renewal(path)], 1);
  await bench.act(path, "pause");
  await load(bench.port, await several(OPEN, (n) => renewal(path, n)), CONNECTIONS);
  const first: number[] = [];
  for (let n = 0; n < times; n++) {
    await bench.act(path, "end");
    const {
      times: [time = Number.NaN],
    } = await load(bench.port, [await renewal(path)], 1);
    first.push(time);
    await sleep(2_000);
  }
  return [atMost(`first webhook after a restart with ${3 * OPEN} open deliveries`, median(first), 100, 0, " ms")];
};

/** Compares accept times of a large and a small journal. */
export const acceptingIntoMany = async (bench: Bench, rows: number, rounds: number): Promise<Figure[]> => {
  const SMALL = 1_000;
  const SLICE = 50_000;
  for (const [name, count] of [
    ["small", SMALL],
    ["large", rows],
  ] as const)
    for (let from = 0; from < count; from += SLICE)
      await bench.object(name, `?from=${from}&to=${Math.min(count, from + SLICE)}`);
  const times: Record<string, number[]> = { small: [], large: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ["small", "large"]) {
      const requests = await several(600, () => renewal(`/counting/${name}`));
      const { perSecond } = await load(bench.port, requests, 8);
      if (round > 0) times[name]?.push(1_000 / perSecond);
    }
  }
  const ratio = median((times.large ?? []).map((time, round) => time / (times.small?.[round] ?? Number.NaN)));
  return [atMost(`time to accept at ${rows} journal rows / at ${SMALL}`, ratio, 1.3)];
};
