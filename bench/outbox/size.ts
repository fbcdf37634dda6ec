import { median } from "../median.ts";
import { load } from "./load.ts";
import { paced } from "./paced.ts";
import { atLeast, atMost, type Figure, sleep } from "./report.ts";
import { type Bench, start } from "./start.ts";
import { fullCustomerUpdate, several, testRenewal } from "./webhooks.ts";

const RATE = 200;
const DELIVERED = 40;
const MB = 1_000_000;
/** The ledger takes less than half of these bytes. */
const PER_WEBHOOK = 2_000;
/** Free bytes for about one minute of paced webhooks. */
const ROOM = 40 * MB;
const PATH = "/counting/size";

const mixed = () => {
  let n = 0;
  // Half the bodies exceed a database page.
  return () =>
    ++n % DELIVERED === 0 ? fullCustomerUpdate(PATH, n, true) : n % 2 ? testRenewal(PATH) : fullCustomerUpdate(PATH, n);
};

const summary = (times: readonly number[]): string =>
  `${median(times).toFixed(2)} ms; ${(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0).toFixed(0)} ms`;

/** Compares accept times before and after the size bound. */
export const sizeBound = async (serviceUrl: string, minutes: number): Promise<Figure[]> => {
  const bound = Math.ceil(((minutes + 2) * 60 * RATE * PER_WEBHOOK) / MB + ROOM / MB) * MB;
  const bench = await start(serviceUrl, { MAX_JOURNAL_MB: bound / MB });
  try {
    return await hold(bench, bound, minutes * 60_000);
  } finally {
    await bench.stop();
  }
};

const hold = async (bench: Bench, bound: number, ms: number): Promise<Figure[]> => {
  const size = () => bench.bytes("size");
  let filled = 0;
  for (; (await size()) < bound - ROOM; filled += 1_000) {
    await load(bench.port, await several(1_000, (n) => (n % 2 ? testRenewal(PATH) : fullCustomerUpdate(PATH, n))), 32);
  }
  const each = (await size()) / filled;
  console.log(
    `  bound ${bound / MB} MB; ${filled} webhooks of ${each.toFixed(0)} bytes fill it to ${mb(await size())}`,
  );
  const { answered, stop } = paced(bench.port, RATE, mixed());
  const began = performance.now();
  let reached = Number.POSITIVE_INFINITY;
  const sizes: number[] = [];
  while (performance.now() - reached < ms) {
    await sleep(1_000);
    const bytes = await size();
    if (sizes.length > 0 || bytes > bound * 0.99) sizes.push(bytes);
    if (sizes.length === 1) reached = performance.now();
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (seconds % 10 === 0) console.log(`  ${String(seconds).padStart(5)} s  ${mb(bytes)}`);
    if (seconds > 600 && sizes.length === 0) throw new Error("The journal does not reach its bound.");
  }
  await stop();
  const journal = await bench.journal("size");
  const accepted = answered.filter(({ status }) => status === 202);
  const times = (from: number, to: number) =>
    accepted.filter(({ due }) => due >= from && due < to).map(({ due, at }) => at - due);
  const before = times(began + 3_000, reached);
  const steady = times(reached, Number.POSITIVE_INFINITY);
  const freed = Math.round((each * journal.webhooks - journal.bytes) / journal.blank);
  return [
    {
      what: `accepted at ${RATE}/s, of them at the bound; refused`,
      value: `${accepted.length}, ${steady.length}; ${answered.length - accepted.length}`,
    },
    atLeast("smallest size at the bound, as a share of it", Math.min(...sizes) / bound, 0.9, 3),
    atMost("  largest", Math.max(...sizes) / bound, 1.1, 3),
    { what: "bodies purged; bytes freed for each", value: `${journal.blank}; ${freed}` },
    atMost("  bodies missing that are younger than the purge line", journal.missing, 0, 0),
    atMost("  webhooks missing", filled + accepted.length - journal.webhooks, 0, 0),
    { what: "median time to accept before the bound is reached; p99", value: summary(before) },
    { what: "  at the bound; p99", value: summary(steady) },
    atMost("  ratio of the medians", median(steady) / median(before), 1.3),
  ];
};

const mb = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
