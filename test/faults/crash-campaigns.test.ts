import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStrictServer } from "../mail-provider/strict.ts";
import { secrets, until } from "../system/mailspan.ts";
import { type Campaign, createCampaign, importContacts, type Recipient, sumOf } from "./crash-campaigns/campaign.ts";
import { type Kill, planKills } from "./crash-campaigns/kills.ts";
import type { Step } from "./crash-sending/reach.ts";
import { type Service, startServiceWith } from "./crash-sending/service.ts";
import { createTeam, type Team } from "./crash-sending/team.ts";

/** Set by `npm run crash`. */
const CRASHES = Number(process.env.CRASHES || 4);
const RECIPIENTS = Number(process.env.RECIPIENTS || 2_000);
const SEED = Number(process.env.SEED || Date.now() % 1_000_000);
/** Ms until the last mail is settled, on a busy machine. */
const SETTLED = 60_000;
const STEP_MS = 10_000;
const MAIL_MS = 30;
/**
 * Mails with an unknown outcome after a kill, for four Mailers: 12 of a noted block and 6 in lanes.
 * The numbers are `BLOCK` and `LANES` of src/email/delivery/mailer/mailer-queue.ts.
 */
const STARTED = 4 * (12 + 6);

const kills = planKills(CRASHES, SEED);
const killsOf = <W extends Kill["when"]>(when: W) =>
  kills.filter((kill): kill is Extract<Kill, { when: W }> => kill.when === when);

let service: Service;
let team: Team;
let people: string[];
let left: string[];
let killed = 0;
const missed: string[] = [];
let killedInFlight = 0;

beforeAll(async () => {
  console.log(`kill -9 of campaigns, seed ${SEED}: ${kills.map((kill) => Object.values(kill).join(" ")).join("; ")}`);
  service = await startServiceWith(await startStrictServer());
  team = await createTeam(service);
  ({ people, left } = await importContacts(team, service.url(), secrets.ADMIN_TOKEN, RECIPIENTS));
}, 180_000);
afterAll(() => service.stop());

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const restart = async (when: Kill["when"]): Promise<void> => {
  killed += 1;
  if (when !== "send" && when !== "snapshot") killedInFlight += 1;
  await service.start();
};

const miss = (many: number, when: Kill["when"], why: string): void => {
  for (let n = 0; n < many; n++) missed.push(`${when}: ${why}`);
};

const killAt = async (
  when: Kill["when"],
  step: Step,
  times = 1,
  then: () => Promise<unknown> = async () => {},
): Promise<void> => {
  const death = service.death();
  service.killAt(step, times);
  await then().catch(() => {});
  const late = setTimeout(() => void service.kill(), STEP_MS);
  await death;
  clearTimeout(late);
  await restart(when);
};

const killDuring = async (when: Kill["when"], act: () => Promise<{ status: number }>, ms: number): Promise<boolean> => {
  let answered = false;
  const acting = act().then(
    ({ status }) => {
      answered = status === 200;
    },
    () => {},
  );
  await sleep(ms);
  await service.kill();
  await acting;
  await restart(when);
  return answered;
};

const reachShare = (campaign: Campaign, share: number) =>
  until(
    `the mail provider has ${Math.round(share * 100)} % of the mails`,
    async () => campaign.arrived() >= share * RECIPIENTS || undefined,
    60_000 + RECIPIENTS * MAIL_MS,
  );

const shownOf = async (campaign: Campaign) => {
  const { status, progress } = await campaign.status();
  if (progress) expect(sumOf(progress)).toBe(progress.recipients);
  return { status, state: progress?.state };
};

const sendCampaign = async (campaign: Campaign): Promise<void> => {
  await campaign.count();
  const { status, body } = await campaign.act("send", { expected: RECIPIENTS });
  expect(status, JSON.stringify(body)).toBe(200);
};

const sendWithKills = async (campaign: Campaign): Promise<void> => {
  for (const [done, { ms }] of killsOf("send").entries()) {
    if ((await shownOf(campaign)).status !== "Draft") {
      miss(killsOf("send").length - done, "send", "an earlier request had happened");
      break;
    }
    await campaign.count();
    const answered = await killDuring("send", () => campaign.act("send", { expected: RECIPIENTS }), ms);
    if (answered) expect((await shownOf(campaign)).status).toBe("Sending");
  }
  for (const [done, { times }] of killsOf("snapshot").entries()) {
    const { status, state } = await shownOf(campaign);
    if (status !== "Draft" && state !== "snapshot") {
      miss(killsOf("snapshot").length - done, "snapshot", "it was over");
      break;
    }
    await killAt("snapshot", "snapshot", times, async () => {
      if (status === "Draft") await sendCampaign(campaign);
    });
  }
  if ((await shownOf(campaign)).status === "Draft") await sendCampaign(campaign);
};

const killWhile = async (campaign: Campaign, what: "pause" | "resume", ms: number): Promise<void> => {
  if (what === "resume") {
    const paused = await campaign.act("pause");
    if (paused.status === 409 && (await shownOf(campaign)).status === "Sent") {
      miss(1, what, "all mails had left");
      return;
    }
    expect(paused.status).toBe(200);
  }
  const answered = await killDuring(what, () => campaign.act(what), ms);
  const { state } = await shownOf(campaign);
  if (answered) expect(state).toBe(what === "pause" ? "paused" : "sending");
  if (state !== "paused") return;
  const before = campaign.arrived();
  await sleep(500);
  expect(campaign.arrived()).toBe(before);
  expect((await campaign.act("resume")).status).toBe(200);
};

const stateOf = (rows: readonly Recipient[], state: string) =>
  new Set(rows.flatMap((row) => (row.state === state ? [row.email] : [])));

const check = (campaign: Campaign, rows: readonly Recipient[]): void => {
  const copies = campaign.copies();
  const expected = [...people, ...left];
  expect(rows.map(({ email }) => email).toSorted()).toEqual(expected.toSorted());
  expect(stateOf(rows, "skipped")).toEqual(new Set(left));
  expect([...copies.keys()].filter((email) => !expected.includes(email))).toEqual([]);
  const isWrong = ({ email, state }: Recipient): boolean => {
    const count = copies.get(email) ?? 0;
    if (state === "delivered" || state === "sent") return count !== 1;
    return state === "unknown" ? count > 1 : count !== 0;
  };
  expect(rows.filter(isWrong)).toEqual([]);
  expect(stateOf(rows, "unknown").size).toBeLessThanOrEqual(killedInFlight * STARTED);
};

describe(`kill -9 of the whole process group, ${CRASHES} times, during campaigns to ${RECIPIENTS} recipients`, () => {
  const ms = SETTLED + RECIPIENTS * MAIL_MS;

  it(
    "each recipient gets the mail once; only one whose outcome is unknown can get it twice, when a person sends it again",
    async () => {
      const campaign = await createCampaign(team, service, "Spring sale");
      killedInFlight = 0;
      await sendWithKills(campaign);
      for (const kill of kills) {
        if (!("share" in kill)) continue;
        await reachShare(campaign, kill.share);
        if (kill.when === "sending") await killAt(kill.when, kill.step, kill.times);
        else await killWhile(campaign, kill.when, kill.ms);
        await shownOf(campaign);
      }
      const progress = await campaign.ended(ms);
      expect(progress).toMatchObject({ state: "done", queued: 0, failed: 0, cancelled: 0, skipped: left.length });
      expect(progress.recipients).toBe(people.length + left.length);
      expect(sumOf(progress)).toBe(progress.recipients);
      const rows = await campaign.recipients();
      check(campaign, rows);
      const unknown = stateOf(rows, "unknown");
      expect(progress.unknown).toBe(unknown.size);

      const before = campaign.arrived();
      const retries = await retryUnknown(campaign, ms);
      const copies = campaign.copies();
      const wrong = people.filter((email) => {
        const count = copies.get(email) ?? 0;
        return count < 1 || count > (unknown.has(email) ? 1 + retries : 1);
      });
      expect(wrong).toEqual([]);
      const twice = people.filter((email) => (copies.get(email) ?? 0) > 1);
      console.log(
        `${killed} crashes, ${people.length} recipients: ${before} mails at the mail provider, ${unknown.size} unknown; ` +
          `${retries} retries, after which ${twice.length} have two copies, and nobody has none`,
      );
    },
    ms * 3 + CRASHES * 20_000,
  );

  it(
    "a cancelled campaign sends nothing more, and each recipient is sent, unknown or cancelled",
    async () => {
      const campaign = await createCampaign(team, service, "Summer sale");
      killedInFlight = 0;
      await sendCampaign(campaign);
      await reachShare(campaign, 0.2);
      const [first, ...others] = killsOf("cancel");
      const cancel = () => campaign.act("cancel");
      if (first && (await killDuring("cancel", cancel, first.ms)))
        expect(await shownOf(campaign)).toEqual({ status: "Sent", state: "cancelled" });
      for (const done of others.keys()) {
        if ((await campaign.status()).progress?.finishedAt) {
          miss(others.length - done, "cancel", "all recipients were cancelled");
          break;
        }
        await killAt("cancel", "cancel", 1, cancel);
      }
      expect((await cancel()).status).toBe(200);
      const atEnd = await campaign.ended(ms);
      expect(atEnd).toMatchObject({ state: "cancelled", queued: 0, failed: 0, skipped: left.length });
      expect(sumOf(atEnd)).toBe(atEnd.recipients);
      expect(atEnd.recipients).toBe(people.length + left.length);
      const rows = await campaign.recipients();
      check(campaign, rows);
      expect(stateOf(rows, "cancelled").size).toBe(atEnd.cancelled);
      expect(atEnd.cancelled).toBeGreaterThan(RECIPIENTS / 4);
      const mails = campaign.arrived();
      await sleep(1_000);
      expect(campaign.arrived()).toBe(mails);
      if (missed.length > 0) console.log(`Kills that could not be made: ${missed.join("; ")}`);
      expect(killed + missed.length).toBe(CRASHES);
      console.log(`${killed} of ${CRASHES} crashes in all, cancelled at ${mails} mails: ${JSON.stringify(atEnd)}`);
    },
    ms * 2 + CRASHES * 20_000,
  );
});

const retryUnknown = async (campaign: Campaign, ms: number): Promise<number> => {
  const toKill = killsOf("retry");
  for (let retries = 0; ; retries++) {
    const { progress } = await campaign.status();
    if (progress?.unknown === 0) {
      miss(toKill.length, "retry", "no mail was unknown any more");
      return retries;
    }
    const retry = () => campaign.act("retry-unknown");
    if (toKill.shift()) await killAt("retry", "retry", 1, retry);
    else expect((await retry()).status).toBe(200);
    await until(
      "the retry has ended",
      async () => {
        const shown = await campaign.status();
        return (
          (shown.retry?.done &&
            shown.inLedger === 0 &&
            shown.progress &&
            sumOf(shown.progress) === shown.progress.recipients) ||
          undefined
        );
      },
      ms,
    );
  }
};
