import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRandom } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { createBell } from "../../workflows/simulation/bell.ts";
import { randomFilter } from "../../workflows/simulation/random-graph.ts";
import { createEngine } from "./engine.ts";
import { sizes, withGaps } from "./sizes.ts";

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

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
/** CAMPAIGNS_SAME=300 makes the long run. */
const SEEDS = Array.from({ length: Number(process.env.CAMPAIGNS_SAME || 2) }, (_, i) => i + 1);
const { window } = sizes;

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  sizes.window = window;
  vi.restoreAllMocks();
});

type Change = {
  pauses?: number;
  crashes?: number;
  mailers?: number;
  window?: number;
  gaps?: number;
  limit?: number;
  refused?: number;
  only?: number;
};

const mailsOf = async (seed: number, change: Change): Promise<string[]> => {
  sizes.window = change.window ?? window;
  const random = createRandom(seed);
  const users = Array.from({ length: 30 }, (_, i) => ({
    userId: `u${i}`,
    email: `u${i}@example.com`,
    subscribed: random.chance(0.9),
    mailingLists: { lst_1: random.chance(0.5) },
    plan: random.one(["free", "pro", "PRÖ"]),
    seats: random.int(0, 6),
  }));
  const drafts = [1, 2, 3].map(() => ({
    mailingListId: random.one([null, "lst_1"]),
    audienceFilter: randomFilter(random, []),
    delay: random.int(0, 20_000),
  }));
  // Separate random numbers, so that one change does not move others.
  const own = createRandom(seed + 1_000);
  const timeline = createTimeline(START);
  const failed = (error: unknown) => {
    throw error;
  };
  const mails: string[] = [];
  const names = new Map<number, string>();
  const engine = createEngine({
    timeline,
    now: timeline.now,
    random: createRandom(seed + 2_000),
    bug: {},
    claimed: () => {},
    sliced: () => {},
    trouble: 0,
    mailers: () => change.mailers ?? 1,
    isDoubleOptIn: false,
    slices: 2,
    runsOfSlice: 50,
    failed,
    pauseMs: 400,
    smaller: withGaps(change.gaps ?? 300),
    faults: {
      hangs: 0,
      isDown: () => false,
      refuses: () => timeline.now() < START + (change.refused ?? 0),
    },
    withMailProvider: ({ marketing, recipient }) => {
      if (marketing) mails.push(`${names.get(marketing.message)} ${recipient}`);
    },
  });
  for (const user of users) engine.update(user);
  if (change.limit !== undefined) engine.limit([change.limit, null, null]);
  const ids = drafts.map(({ delay: _, ...draft }, index) => {
    const { id } = engine.addCampaign(`c${index}`, draft).body as { id: string };
    names.set(engine.campaign(id).message, `c${index}`);
    return id;
  });
  const until = (wanted: (id: string) => boolean, act: () => void, id: string) => {
    if (wanted(id)) return;
    act();
    timeline.in(1_000, () => until(wanted, act, id));
  };
  drafts.forEach(({ delay }, index) => {
    const id = ids[index] ?? "";
    if (change.only !== undefined && change.only !== index) return;
    const isStarted = () => engine.campaign(id).status !== "Draft";
    timeline.in(delay, () => until(isStarted, () => engine.act(id, "start"), id));
  });
  for (let i = change.pauses ?? 0; i > 0; i -= 1) {
    const id = own.one(ids);
    timeline.in(own.int(0, 40_000), () => engine.act(id, "pause"));
  }
  const resume = () => {
    for (const id of ids)
      until(
        () => !["paused", "held"].includes(engine.campaign(id).state ?? ""),
        () => engine.act(id, "resume"),
        id,
      );
  };
  for (let at = 60_000; at <= (change.refused ?? 0) + 60_000; at += 60_000) timeline.in(at, resume);
  for (let i = change.crashes ?? 0; i > 0; i -= 1) timeline.in(own.int(0, 80_000), () => engine.crash());
  const bell = createBell({ timeline, now: timeline.now, object: () => engine, failed });
  while ((timeline.next() ?? Number.POSITIVE_INFINITY) < START + HOUR) {
    await timeline.step();
    bell.arm();
  }
  const left = ids.filter((id) => engine.campaign(id).status === "Sending");
  expect(left).toEqual([]);
  engine.disk.close();
  return mails.sort();
};

describe.each(SEEDS)("who gets which campaign (seed %i)", (seed) => {
  let played: ReturnType<typeof mailsOf> | undefined;
  const unchanged = () => (played ??= mailsOf(seed, {}));

  it("is the same with pauses, crashes, limits, a mail provider that refuses every mail at first, and slices and Mailers of any number", async () => {
    const mails = await unchanged();
    expect(mails.length).toBeGreaterThan(0);
    expect(new Set(mails).size).toBe(mails.length);
    expect(await mailsOf(seed, { pauses: 12 })).toEqual(mails);
    expect(await mailsOf(seed, { crashes: 40 })).toEqual(mails);
    expect(await mailsOf(seed, { pauses: 12, crashes: 40, window: 4 })).toEqual(mails);
    expect(await mailsOf(seed, { mailers: 4, window: 50, gaps: 1 })).toEqual(mails);
    expect(await mailsOf(seed, { limit: 2, crashes: 10 })).toEqual(mails);
    expect(await mailsOf(seed, { refused: 400_000, crashes: 40 })).toEqual(mails);
  });

  it("is the same for campaigns together and apart", async () => {
    const mails = await unchanged();
    const apart = [
      await mailsOf(seed, { only: 0 }),
      await mailsOf(seed, { only: 1 }),
      await mailsOf(seed, { only: 2 }),
    ];
    expect(apart.flat().sort()).toEqual(mails);
  });
});
