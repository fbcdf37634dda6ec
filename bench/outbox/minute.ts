import { median } from "../median.ts";
import { load } from "./load.ts";
import { atMost, type Figure, sleep } from "./report.ts";
import type { Bench } from "./start.ts";
import { customerUpdate, renewal, several } from "./webhooks.ts";

const CONNECTIONS = 128;
const PEOPLE = 10_000;
/** Seconds of one row. */
const WINDOW = 10;

/** `open`: open deliveries at the end of the window. */
type Measured = { open: number; cpu: number; times: number[]; perSecond: number };

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

/**
 * Measures a constant webhook rate above the delivery limit.
 * @param perSecond below the backlog limit of a source
 */
export const minute = async (bench: Bench, windows: number, perSecond: number): Promise<Figure[]> => {
  const path = "/real/minute";
  let sent = 0;
  const make = () => {
    const person = ++sent % PEOPLE;
    if (sent % 3 === 2) return customerUpdate(path, person);
    return renewal(path, person, sent % 3 === 1 ? "stripe-eu" : "stripe-us");
  };
  const measured: Measured[] = [];
  for (let window = 0; window < windows; window++) {
    const cpu = bench.cpu();
    const times: number[] = [];
    const rates: number[] = [];
    for (let second = 0; second < WINDOW; second++) {
      const until = performance.now() + 1_000;
      const result = await load(bench.port, await several(perSecond, make), CONNECTIONS);
      if (result.statuses.size !== 1 || !result.statuses.has(202))
        throw new Error(`minute: ${JSON.stringify([...result.statuses])}`);
      times.push(...result.times);
      rates.push(result.perSecond);
      await sleep(until - performance.now());
    }
    measured.push({
      open: sent,
      cpu: ((bench.cpu() - cpu) / times.length) * 1e6,
      times,
      perSecond: median(rates),
    });
  }
  const rows = measured.map(
    ({ open, cpu, times, perSecond: rate }, window): Figure => ({
      what: `${window * WINDOW} to ${(window + 1) * WINDOW} s, ${open} deliveries: CPU of a webhook, p50, p99, a second`,
      value: `${cpu.toFixed(0)} µs, ${quantile(times, 0.5).toFixed(0)} ms, ${quantile(times, 0.99).toFixed(0)} ms, ${rate.toFixed(0)}`,
    }),
  );
  // Warm-up.
  const [, early, ...later] = measured;
  const last = later.at(-1);
  if (!early || !last) return rows;
  const p99 = (one: Measured) => quantile(one.times, 0.99);
  return [
    ...rows,
    atMost("CPU of a webhook in the last 10 s / in the second 10 s", last.cpu / early.cpu, 1.25),
    atMost("p99 in the last 10 s / in the second 10 s", p99(last) / p99(early), 2),
  ];
};
