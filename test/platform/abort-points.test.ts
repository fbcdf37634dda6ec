import { afterAll, beforeAll, expect, it } from "vitest";
import type { Campaign } from "../faults/crash-campaigns/campaign.ts";
import { sampled } from "../sample.ts";
import { type Campaigns, insist, rowOf, sendCampaign, startCampaigns } from "./campaign.ts";
import type { Rules } from "./inside/rules.ts";

const RECIPIENTS = 60;
const CODES = 4;
/** Mails of one Mailer that may be with a mail provider when it dies: a block of notes and its lanes. */
const NOTED = 18;

/** A Workspace tells the Directory only after each percent of the rows of the day. */
const RARE = new Set(["Workspace call DIRECTORY.dayRows"]);
const MAILERS = ["marketing", "transactional"].flatMap((of) => [0, 1, 2, 3].map((n) => `crash:${of}:${n}`));

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let campaigns: Campaigns;
beforeAll(async () => {
  campaigns = await startCampaigns(RECIPIENTS, { delay: 20 });
});
afterAll(() => campaigns.service.stop());

const code = async (address: string): Promise<void> => {
  for (let tries = 0; tries < 20; tries++) {
    if ((await campaigns.team.send(address, address)) === 200) return;
    await sleep(50);
  }
  throw new Error(`The mail to ${address} was not accepted.`);
};

let plays = 0;
/** A campaign with a pause, and transactional mails at the same time. */
const play = async (rules: Rules) => {
  plays += 1;
  // A Mailer keeps signing keys, so a new one asks for them again.
  await Promise.all(MAILERS.map((mailer) => campaigns.service.die("MAILER", mailer)));
  const codes = Array.from({ length: CODES }, (_, n) => `code-${plays}-${n}@example.org`);
  const during = async (campaign: Campaign) => {
    await sleep(50);
    await insist(campaign, "pause");
    await insist(campaign, "resume");
    for (const address of codes) await code(address);
    // An alarm may run later than the campaign.
    for (let waits = 0; rules.aborts && waits < 60; waits++) {
      if ((await campaigns.service.counts()).aborted.length > 0) return;
      await sleep(100);
    }
  };
  const outcome = await sendCampaign(campaigns, rules, { during });
  const settled = (await campaigns.team.settled(10_000)).filter(({ to }) => codes.includes(to));
  return { ...outcome, codes: settled.map((send) => [send.state, campaigns.team.copies(send)]) };
};

it("nothing is lost or sent twice, and a campaign goes on within 5 s, at each point at which its object is reset", async () => {
  const quiet = await play({});
  const points = Object.entries(quiet.counts.points).filter(
    ([point]) => /^(Workspace|Mailer) /.test(point) && !RARE.has(point),
  );
  expect(points.length).toBeGreaterThanOrEqual(11);
  for (const [point, passes] of sampled(points))
    for (const when of ["before", "after"] as const) {
      const nth = passes < 10 ? 1 : Math.ceil(passes / 3);
      const outcome = await play({ aborts: [{ point, when, nth }] });
      console.log(rowOf(`${when} ${point} ${nth}`, outcome));
      const { sent, unknown, lost, twice, ended, codes } = outcome;
      expect(outcome.counts.aborted).toEqual([`${when} ${point}`]);
      expect({ all: sent + unknown, lost, twice, ended }).toEqual({ all: RECIPIENTS, lost: 0, twice: 0, ended: true });
      expect(unknown).toBeLessThanOrEqual(point.startsWith("Mailer") ? NOTED : 0);
      expect(outcome.silence).toBeLessThan(5_000);
      expect(codes).toHaveLength(CODES);
      for (const [state, copies] of codes)
        expect(point.startsWith("Mailer") ? ["sent 1", "unknown 0", "unknown 1"] : ["sent 1"]).toContain(
          `${state} ${copies}`,
        );
    }
});
