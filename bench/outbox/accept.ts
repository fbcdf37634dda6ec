import { median } from "../median.ts";
import { load } from "./load.ts";
import { atLeast, atMost, type Figure } from "./report.ts";
import type { Bench } from "./start.ts";
import { renewal, several } from "./webhooks.ts";

const CONNECTIONS = 128;

/** Compares accepted webhooks per second with simpler Workers. */
export const accepting = async (bench: Bench, rounds: number, requests: number): Promise<Figure[]> => {
  const variants = ["bare", "none", "real", "one"] as const;
  const rates = new Map<string, number[]>(variants.map((variant) => [variant, []]));
  const costs = new Map<string, number[]>(variants.map((variant) => [variant, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const variant of variants) {
      const path = `/${variant}/round${round}`;
      const webhooks = await several(requests, () => renewal(path));
      const cpu = bench.cpu();
      const { statuses, perSecond } = await load(bench.port, webhooks, CONNECTIONS);
      const cost = ((bench.cpu() - cpu) / requests) * 1e6;
      if (statuses.size !== 1 || !statuses.has(202)) throw new Error(`${variant}: ${JSON.stringify([...statuses])}`);
      // Open deliveries must not slow down the next rounds.
      if (variant === "real" || variant === "one") await bench.pause(path);
      // Warm-up.
      if (round === 0) continue;
      rates.get(variant)?.push(perSecond);
      costs.get(variant)?.push(cost);
    }
  }
  // Ratios within a round cancel out other load.
  const ratio = (a: string, b: string) =>
    median((rates.get(a) ?? []).map((rate, round) => rate / (rates.get(b)?.[round] ?? Number.NaN)));
  const rate = (variant: string) => {
    const [perSecond, cost] = [median(rates.get(variant) ?? []), median(costs.get(variant) ?? [])];
    return `${perSecond.toFixed(0)}/s${Number.isNaN(cost) ? "" : `, ${cost.toFixed(0)} µs`}`;
  };
  return [
    {
      what: `accepted at ${CONNECTIONS} connections: verified, planned, committed; CPU time of one`,
      value: rate("real"),
    },
    { what: "the same without the journal", value: rate("none") },
    { what: "a bare 202, the body read", value: rate("bare") },
    { what: "with a commit for each webhook", value: rate("one") },
    atLeast("accepted / without the journal", ratio("real", "none"), 0.35),
    atLeast("without the journal / bare 202", ratio("none", "bare"), 0.4),
    atLeast("accepted / a commit for each webhook", ratio("real", "one"), 1.8),
  ];
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
