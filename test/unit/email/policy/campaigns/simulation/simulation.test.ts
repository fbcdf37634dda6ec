import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watched } from "../../../workspace/sending/simulation/planted.ts";
import { BUGS } from "./bugs.ts";
import { play } from "./run.ts";

vi.mock(import("../../../../../../src/email/policy/campaigns/next-step.ts"), async (original) => {
  const real = await original();
  const { withSizes } = await import("./sizes.ts");
  return { ...real, nextStep: withSizes(real.nextStep) };
});
vi.mock(import("../../../../../../src/email/policy/campaigns/slice.ts"), async (original) => {
  const { sizes } = await import("./sizes.ts");
  const [TAKEN, READ, CANCELLED, ENDED, RETRIED] = [
    sizes.fed,
    sizes.read,
    sizes.cancelled,
    sizes.cancelled,
    sizes.retried,
  ] as [never, never, never, never, never];
  return { ...(await original()), TAKEN, READ, CANCELLED, ENDED, RETRIED };
});
vi.mock(import("../../../../../../src/email/policy/campaigns/hold-limits.ts"), async (original) => {
  const { sizes } = await import("./sizes.ts");
  return { ...(await original()), REFUSED: sizes.refused as never, OF_LAST: sizes.ofLast as never };
});
vi.mock(import("../../../../../../src/email/policy/campaigns/refused-in-row.ts"), async (original) => {
  const real = await original();
  const { planted } = await import("./sizes.ts");
  return {
    ...real,
    isAboutMail: (...given) => planted.isAboutMail?.(real.isAboutMail, ...given) ?? real.isAboutMail(...given),
  };
});

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

// npm run simulate -- campaigns
const ALONE = process.env.CAMPAIGNS_SEED ? Number(process.env.CAMPAIGNS_SEED) : undefined;
const FROM = ALONE ?? Number(process.env.CAMPAIGNS_FROM || 1);
const SEEDS = ALONE === undefined ? Number(process.env.CAMPAIGNS_SEEDS || 2) : 1;
/** CAMPAIGNS_SEARCH=1 looks for planted bugs from the first seed on, and prints the seed of each. */
const SEARCH = process.env.CAMPAIGNS_SEARCH !== undefined;
const seedsFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

describe("campaigns through crashes, pauses and changes of contacts", () => {
  it(`reach each person once, and their counts close (seeds ${FROM} to ${FROM + SEEDS - 1})`, async () => {
    const failed: object[] = [];
    const all: Record<string, number> = {};
    for (const seed of seedsFrom(FROM, SEEDS)) {
      const { failures, counts, trace } = await play(seed);
      for (const [what, count] of Object.entries(counts)) all[what] = (all[what] ?? 0) + count;
      if (ALONE !== undefined) console.error([...trace, ...failures, JSON.stringify(counts)].join("\n"));
      if (failures.length > 0)
        failed.push({
          again: `npm run simulate -- campaigns --seed ${seed}`,
          failures: failures.slice(0, 3),
          trace: trace.slice(-12),
        });
    }
    if (process.env.SIM_DEBUG) console.error(JSON.stringify(all));
    expect(failed.slice(0, 3)).toEqual([]);
  }, 3_600_000);
});

// They take as long as hundreds of seeds, so only `npm run simulate -- campaigns` looks for them.
describe.runIf(SEEDS >= 100)("a planted bug is found", () => {
  it.each(Object.entries(BUGS))(
    "%s",
    async (name, { seed: known, ...planned }) => {
      const { bug, check } = watched(name, planned);
      let found: number | undefined;
      // The known seed comes first. It is only a hint: every change of a schedule moves it.
      for (const seed of [...(SEARCH ? [] : [known]), ...seedsFrom(1, 500)]) {
        const { failures, steps } = await play(seed, bug);
        if (failures.length === 0) continue;
        // A failure in the same world without the bug is no finding.
        const without = await play(seed, planned.settings && { settings: planned.settings });
        const isLong = failures.every((one) => one.endsWith("it spins")) && without.steps >= steps;
        if (isLong || without.failures.length > 0) continue;
        found = seed;
        if (SEARCH) console.error(`${found} ${name}: ${failures[0]}`);
        break;
      }
      check();
      expect(found).toBeDefined();
    },
    1_200_000,
  );
});
