import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Campaign } from "../faults/crash-campaigns/campaign.ts";
import { type Campaigns, rowOf, sendCampaign, startCampaigns } from "./campaign.ts";
import type { Rules } from "./inside/rules.ts";

const RECIPIENTS = 600;
const MAILERS = [0, 1, 2, 3].map((n) => `crash:marketing:${n}`);
/** Mails of one Mailer that may be with a mail provider when it dies: a block of notes and its lanes. */
const NOTED = 18;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const played = async (
  campaigns: Campaigns,
  what: string,
  ...[rules, how]: [Rules, Parameters<typeof sendCampaign>[2]?]
) => {
  const outcome = await sendCampaign(campaigns, rules, how);
  console.log(rowOf(what, outcome));
  return outcome;
};

describe("a campaign by SES on the Free plan", () => {
  let campaigns: Campaigns;
  beforeAll(async () => {
    campaigns = await startCampaigns(RECIPIENTS, { sending: "ses", vars: { WEBHOOKS_ALLOW_PRIVATE: "1" } });
  });
  afterAll(() => campaigns.service.stop());

  it("of 50 subrequests an event: all mails are sent, none is unknown", async () => {
    const { sent, unknown, lost, twice } = await played(campaigns, "SES, 50 subrequests", { subrequests: 50 });
    expect({ sent, unknown, lost, twice }).toEqual({ sent: RECIPIENTS, unknown: 0, lost: 0, twice: 0 });
  });

  it("of 50 subrequests an event, with 20 webhooks: all mails are sent, and no call is refused", async () => {
    const told = new Set<unknown>();
    const server = createServer((request, response) => {
      told.add(request.url);
      request.resume().on("end", () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    for (let n = 0; n < 20; n++) {
      const webhook = { url: `http://127.0.0.1:${port}/${n}`, events: ["campaign.email.sent"] };
      expect((await campaigns.team.operate("POST", "/webhooks", webhook)).status).toBe(201);
    }
    const { sent, lost, twice, counts } = await played(campaigns, "20 webhooks", { subrequests: 50 });
    server.close();
    expect({ sent, lost, twice, told: told.size }).toEqual({ sent: RECIPIENTS, lost: 0, twice: 0, told: 20 });
    expect(counts.refused).toEqual({});
  });
});

describe("a campaign by SMTP", () => {
  let campaigns: Campaigns;
  beforeAll(async () => {
    campaigns = await startCampaigns(RECIPIENTS, { delay: 20 });
  });
  afterAll(() => campaigns.service.stop());

  const whole = { sent: RECIPIENTS, unknown: 0, lost: 0, twice: 0, ended: true };

  it.each<[string, Rules]>([
    ["at most 12 subrequests an event", { subrequests: 12 }],
    ["calls of objects at most four deep", { depth: 4 }],
    ["a clock that moves only with I/O", { frozenClock: true }],
    ["every alarm runs twice", { alarms: { twice: 1 } }],
    ["objects without an event for 1 s are evicted", { evictAfter: 1_000 }],
  ])("%s: all mails are sent", async (what, rules) => {
    const { sent, unknown, lost, twice, ended } = await played(campaigns, what, rules);
    expect({ sent, unknown, lost, twice, ended }).toEqual(whole);
  });

  it("every second alarm is lost, the last one too: the cron finds it, within its budget", async () => {
    const rules: Rules = { alarms: { lost: 2 } };
    const { sent, unknown, lost, twice, ended, counts } = await played(campaigns, "every second alarm is lost", rules, {
      during: async (campaign) => {
        for (let second = 0; second < 25; second++) {
          const { progress, inLedger } = await campaign.status();
          if (progress?.finishedAt && inLedger === 0) return;
          await sleep(1_000);
          await campaigns.service.cron();
        }
      },
    });
    expect({ sent, unknown, lost, twice, ended }).toEqual(whole);
    expect(counts.refused).toEqual({});
  });

  it("the Workspace is reset alone: nothing is unknown, and it goes on within 5 s", async () => {
    const during = async () => {
      for (let n = 0; n < 3; n++) {
        await sleep(700);
        await campaigns.service.die("WORKSPACE", "crash");
      }
    };
    const outcome = await played(campaigns, "3 resets of the Workspace", {}, { during });
    const { sent, unknown, lost, twice, ended } = outcome;
    expect({ sent, unknown, lost, twice, ended }).toEqual(whole);
    expect(outcome.silence).toBeLessThan(5_000);
  });

  it("a Mailer is reset alone: only what it had noted is unknown, and it goes on within 5 s", async () => {
    const during = async () => {
      for (const mailer of MAILERS.slice(0, 3)) {
        await sleep(700);
        await campaigns.service.die("MAILER", mailer);
      }
    };
    const outcome = await played(campaigns, "3 resets of a Mailer", {}, { during });
    const { sent, unknown, lost, twice, ended } = outcome;
    expect({ all: sent + unknown, lost, twice, ended }).toEqual({ all: RECIPIENTS, lost: 0, twice: 0, ended: true });
    expect(unknown).toBeLessThanOrEqual(3 * NOTED);
    expect(outcome.silence).toBeLessThan(5_000);
  });

  it("the writes of all Mailers are refused for 1.5 s: nothing is unknown, and it goes on within 4 s", async () => {
    const during = async () => {
      await sleep(700);
      await campaigns.service.rules({ refuse: "Mailer" });
      await sleep(1_500);
      await campaigns.service.rules({});
    };
    const outcome = await played(campaigns, "refused writes of all Mailers", {}, { during });
    const { sent, unknown, lost, twice, ended } = outcome;
    expect({ sent, unknown, lost, twice, ended }).toEqual(whole);
    expect(outcome.silence).toBeGreaterThan(1_000);
    expect(outcome.silence).toBeLessThan(4_000);
  });

  it.each(["pause", "cancel"] as const)("a %s stops all but the mails that Mailers had noted", async (what) => {
    let late = 0;
    const during = async (campaign: Campaign) => {
      await sleep(700);
      expect((await campaign.act(what)).status).toBe(200);
      const [before, asked] = [campaign.arrived(), performance.now()];
      let last = asked;
      for (let seen = before; performance.now() - asked < 2_000; await sleep(5)) {
        if (campaign.arrived() > seen) last = performance.now();
        seen = campaign.arrived();
      }
      late = campaign.arrived() - before;
      console.log(`${what}: ${before} mails had arrived, ${late} more within ${(last - asked).toFixed(0)} ms`);
      if (what === "pause") expect((await campaign.act("resume")).status).toBe(200);
    };
    const { lost, twice, ended, sent } = await sendCampaign(campaigns, {}, { during });
    expect(late).toBeLessThanOrEqual(MAILERS.length * NOTED);
    if (what === "pause")
      expect({ sent, lost, twice, ended }).toEqual({ sent: RECIPIENTS, lost: 0, twice: 0, ended: true });
    else expect([sent > 0, sent < RECIPIENTS, twice, ended]).toEqual([true, true, 0, true]);
  });

  it("all objects are reset at once", async () => {
    const during = async () => {
      await sleep(1_000);
      await Promise.all(MAILERS.map((mailer) => campaigns.service.die("MAILER", mailer)));
      await campaigns.service.die("WORKSPACE", "crash");
    };
    const outcome = await played(campaigns, "Workspace and all Mailers at once", {}, { during });
    const { sent, unknown, lost, twice, ended } = outcome;
    expect({ all: sent + unknown, lost, twice, ended }).toEqual({ all: RECIPIENTS, lost: 0, twice: 0, ended: true });
    expect(unknown).toBeLessThanOrEqual(4 * NOTED);
    expect(outcome.silence).toBeLessThan(5_000);
  });
});
