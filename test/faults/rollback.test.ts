import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accept, play, rowOf, startBridge } from "../platform/bridge.ts";
import { buildSimulated, type WorkerName } from "../platform/simulated.ts";
import { createRandom } from "../workerd/simulation/random.ts";
import type { Starts } from "./rollback/orders.ts";
import { planHistory } from "./rollback/plan.ts";
import { type Outcome, playHistory } from "./rollback/play.ts";
import { checkOutPrevious, missingPrevious } from "./rollback/previous.ts";
import { type Both, bothVersions, deployments, startBoth } from "./rollback/service.ts";

const HISTORIES = Number(process.env.HISTORIES || 16);
const SEED = Number(process.env.SEED || Date.now() % 1_000_000);
const AT_ONCE = 8;
/** Webhooks are delivered at most ten a second, so a history of the Outbox takes some seconds. */
const BRIDGES = Math.ceil(HISTORIES / 8);
const BRIDGES_AT_ONCE = 4;
/** Objects of all teams. */
const SHARED = [
  ["DIRECTORY", "directory"],
  ["INBOX_STORE", "inbox"],
] as const;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const missing = await missingPrevious();
if (missing) console.error(missing);

let previous: Awaited<ReturnType<typeof checkOutPrevious>> | undefined;
beforeAll(async () => {
  if (!missing) previous = await checkOutPrevious();
});
afterAll(() => previous?.remove());
const load = (name: WorkerName) => buildSimulated(name, bothVersions(previous?.folder ?? ""));

describe.skipIf(missing)(`${HISTORIES} histories of teams by this version and the previous one`, () => {
  let service: Both;
  beforeAll(async () => {
    service = await startBoth(load);
  });
  afterAll(() => service?.stop());

  it(
    "no answer is a server error, no mail is lost or sent twice, and the counts of campaigns close",
    async () => {
      const outcomes: Outcome[] = [];
      for (let from = 0; from < HISTORIES; from += AT_ONCE) {
        // Their requests may reach objects of all teams, which are reset between them.
        await service.deploy((from / AT_ONCE) % 2 === 0 ? "older" : "newer", SHARED);
        const seeds = Array.from({ length: Math.min(AT_ONCE, HISTORIES - from) }, (_, n) => SEED + from + n);
        outcomes.push(...(await Promise.all(seeds.map((seed) => playHistory(service, planHistory(seed))))));
        service.forget();
      }
      const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
      const starts = await service.starts();
      const mails = sum((one) => one.mails);
      const unknown = sum((one) => one.unknown);
      const claims = sum((one) => one.claims);
      console.log(
        `${HISTORIES} histories from seed ${SEED}: ${mails} mails, ${unknown} unknown, ${sum((one) => one.resets)} resets, ` +
          `${claims} claims without a row taken over by the previous version; starts: ${startsShown(starts)}`,
      );
      expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
      expect(claims).toBeGreaterThan(0);
      expectBoth(starts, ["Workspace", "Mailer", "Notifier"]);
    },
    60_000 + HISTORIES * 40_000,
  );
});

describe.skipIf(missing)(`${BRIDGES} histories of the Outbox by this version and the previous one`, () => {
  it(
    "every webhook that was accepted is delivered, and nothing acts twice",
    async () => {
      const worker = load("bridge");
      const starts: Starts = {};
      for (let from = 0; from < BRIDGES; from += BRIDGES_AT_ONCE) {
        const seeds = Array.from({ length: Math.min(BRIDGES_AT_ONCE, BRIDGES - from) }, (_, n) => SEED + from + n);
        for (const { outcome, started } of await Promise.all(seeds.map((seed) => playOutbox(seed, () => worker)))) {
          console.log(rowOf("the Outbox of two versions", outcome));
          const { ended, lost, twice, failed } = outcome;
          expect({ ended, lost, twice, failed }).toEqual({ ended: true, lost: 0, twice: 0, failed: 0 });
          for (const [name, times] of Object.entries(started)) starts[name] = (starts[name] ?? 0) + times;
        }
      }
      expectBoth(starts, ["Outbox"]);
    },
    60_000 + BRIDGES * 40_000,
  );
});

const startsShown = (starts: Starts): string =>
  Object.entries(starts)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ");

const expectBoth = (starts: Starts, names: readonly string[]): void => {
  for (const name of names) {
    expect(starts[`${name} older`], startsShown(starts)).toBeGreaterThan(0);
    expect(starts[`${name} newer`], startsShown(starts)).toBeGreaterThan(0);
  }
};

/** Webhooks, while the Outbox is reset with the newer, the older, the newer and any version. */
const playOutbox = async (seed: number, load: NonNullable<Parameters<typeof startBridge>[0]>) => {
  const random = createRandom(seed);
  const bridge = await startBridge(load);
  try {
    const { deploy, starts } = deployments(bridge.platform, "bridge");
    await deploy("newer", [["OUTBOX", "main"]]);
    const during = async (): Promise<string[]> => {
      const more: string[] = [];
      for (const version of ["older", "newer", "any", random.one(["older", "newer", "any"] as const)] as const) {
        await sleep(random.int(50, 700));
        await deploy(version, [["OUTBOX", "main"]]);
        more.push(await accept(bridge));
      }
      return more;
    };
    const load = { known: random.int(6, 12), asked: random.int(2, 6) };
    const outcome = await play(bridge, load, { subrequests: 10_000 }, { during });
    return { outcome, started: await starts() };
  } finally {
    await bridge.stop();
  }
};
