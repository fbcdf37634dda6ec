import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  retryUnknown,
  scheduleCampaign,
  unscheduleCampaign,
} from "../../../../../src/email/workspace/campaigns/control.ts";
import { claimedMails, ensureRow } from "../../../../../src/email/workspace/core/mailer-claims.ts";
import { release } from "../../../../../src/email/workspace/sending/claims.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import {
  act,
  addCampaign,
  addContacts,
  campaignOf,
  claim,
  HANDOVERS,
  progressOf,
  pumpSlices,
  recipientsOf,
  report,
  stepOnce,
  sumsOf,
} from "./bench.ts";

isolated();

const HOUR = 3_600_000;
const EMAILS = ["ada@example.com", "bo@example.com", "cy@example.com"];

let team: Team;
let id: string;

beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, EMAILS);
  id = await addCampaign(team);
});

const pump = () => team.inside((_, storage) => pumpSlices(storage));
const step = () => team.inside((sql) => stepOnce(sql, id));
const sums = () => team.inside((sql) => sumsOf(sql, id));
const stored = () => team.inside((sql) => campaignOf(sql, id));
const settleAll = (handover: keyof typeof HANDOVERS = "accepted", limit = 50) =>
  team.inside((sql) => {
    const mails = claim(sql, limit);
    for (const mail of mails) report(sql, mail, HANDOVERS[handover]);
    return mails.length;
  });
const reportAll = (mails: ReturnType<typeof claim>, handover: keyof typeof HANDOVERS) =>
  team.inside((sql) => {
    for (const mail of mails) report(sql, mail, HANDOVERS[handover]);
  });
const finished = async () => {
  await pump();
  while ((await settleAll()) > 0) await pump();
  await pump();
};
const states = async () => (await recipientsOf(team)).map(({ state }) => state);

describe("a pause", () => {
  it.each([
    ["of the snapshot", 0],
    ["before the first mail", 1],
    ["of waiting mail", 2],
  ])(
    "%s: nothing is claimed until the resume, for longer than a day, and then each gets the mail once",
    async (_, steps) => {
      await act(team, id);
      for (let n = 0; n < steps; n++) await step();
      await act(team, id, pauseCampaign);
      for (const hours of [0, 30, 30]) {
        advance(hours * HOUR);
        await pump();
        expect(await settleAll()).toBe(0);
        await team.inside((_, storage) => storage.setAlarm(Date.now()));
        await runAlarm(team.stub);
      }
      expect(await progressOf(team, id)).toMatchObject({ state: "paused", sent: 0, failed: 0 });
      await act(team, id, resumeCampaign);
      await finished();
      expect(await progressOf(team, id)).toMatchObject({ state: "done", recipients: 3, sent: 3 });
      expect(await team.rows("SELECT count(*) AS mails FROM sends WHERE state = 'sent'")).toEqual([{ mails: 3 }]);
    },
  );

  it("leaves mail in flight its result, and held mail stands before no other", async () => {
    const other = await addCampaign(team, { name: "Other" });
    await act(team, id);
    await pump();
    const mails = await team.inside((sql) => claim(sql, 1));
    await act(team, id, pauseCampaign);
    await reportAll(mails, "accepted");
    await act(team, other);
    await pump();
    const origins = await team.inside((sql) => {
      claim(sql);
      claim(sql);
      return claimedMails(sql).map(({ origin }) => origin);
    });
    expect(origins).toEqual([other, other, other]);
    expect(await sums()).toMatchObject({ sent: 1, queued: 2, sum: 3 });
  });

  it("of a campaign that does not move changes nothing", async () => {
    const before = await stored();
    await act(team, id, pauseCampaign);
    await act(team, id, resumeCampaign);
    expect(await stored()).toEqual(before);
  });

  it("says in the ledger why a mail waits", async () => {
    await act(team, id);
    await pump();
    await settleAll("deferred");
    advance(HOUR);
    await act(team, id, pauseCampaign);
    await settleAll();
    const [send] = await team.rows("SELECT id FROM sends LIMIT 1");
    expect((await team.admin("GET", `/sends/${send?.id}`)).json).toMatchObject({
      state: "queued",
      nextAttemptAt: null,
      meaning: "It is held: its campaign is paused. It is sent after the campaign is resumed.",
    });
  });
});

describe("a cancel", () => {
  it.each([
    ["of the snapshot", 0, 0],
    ["before the first mail", 1, 3],
    ["of waiting mail", 2, 3],
  ])("%s ends everything that was not sent", async (_, steps, recipients) => {
    await act(team, id);
    for (let n = 0; n < steps; n++) await step();
    await act(team, id, cancelCampaign);
    expect((await team.get(`/campaigns/${id}`)).json).toMatchObject({
      status: "Sent",
      delivery: { state: "cancelled" },
    });
    await pump();
    expect(await settleAll()).toBe(0);
    expect(await progressOf(team, id)).toMatchObject({
      state: "cancelled",
      recipients,
      cancelled: recipients,
      queued: 0,
      finishedAt: expect.any(String),
    });
    expect(await states()).toEqual(Array(recipients).fill("cancelled"));
    await act(team, id, resumeCampaign);
    await pump();
    expect(await settleAll()).toBe(0);
  });

  it("keeps what was sent, ends deferred and held mail, and waits for mail in flight", async () => {
    await act(team, id);
    await pump();
    await settleAll("accepted", 1);
    await settleAll("deferred", 1);
    const inFlight = await team.inside((sql) => claim(sql, 1));
    await act(team, id, cancelCampaign);
    await pump();
    expect(await states()).toEqual(["sent", "cancelled", "queued"]);
    expect(await progressOf(team, id)).toMatchObject({ state: "cancelled", queued: 1, finishedAt: null });
    await reportAll(inFlight, "deferred");
    advance(HOUR);
    expect(await settleAll()).toBe(0);
    await pump();
    expect(await states()).toEqual(["sent", "cancelled", "cancelled"]);
    expect(await progressOf(team, id)).toMatchObject({
      sent: 1,
      cancelled: 2,
      queued: 0,
      finishedAt: expect.any(String),
    });
    expect(await team.rows("SELECT DISTINCT error FROM sends WHERE state = 'not_sent'")).toEqual([
      { error: "campaign_cancelled" },
    ]);
  });
});

describe("a mail that comes back after a cancel", () => {
  it.each([
    ["that a mail provider deferred", "deferred"],
    ["that was recalled", undefined],
  ] as const)("%s is cancelled at once: no claim is needed for it", async (_, handover) => {
    await act(team, id);
    await pump();
    const inFlight = await team.inside((sql) => claim(sql));
    await act(team, id, cancelCampaign);
    await pump();
    if (handover) await reportAll(inFlight, handover);
    else
      await team.inside((sql) => {
        for (const mail of inFlight) {
          ensureRow(sql, mail.n);
          release({ sql, now: Date.now() }, mail);
        }
      });
    await pump();
    expect(await progressOf(team, id)).toMatchObject({ queued: 0, cancelled: 3, finishedAt: expect.any(String) });
    expect(await team.rows("SELECT DISTINCT state, error, due, variables FROM sends")).toEqual([
      { state: "not_sent", error: "campaign_cancelled", due: null, variables: null },
    ]);
  });

  it("stays unknown where an earlier attempt may have reached the relay", async () => {
    await act(team, id);
    await pump();
    await settleAll("unknown");
    await act(team, id, retryUnknown);
    await pump();
    const inFlight = await team.inside((sql) => claim(sql));
    await act(team, id, cancelCampaign);
    await pump();
    await reportAll(inFlight, "deferred");
    await pump();
    expect(await progressOf(team, id)).toMatchObject({ queued: 0, unknown: 3, finishedAt: expect.any(String) });
  });
});

describe("a scheduled campaign", () => {
  const schedule = async (hours: number) => {
    await team.run("UPDATE campaigns SET method = 'schedule', scheduled_at = ?", Date.now() + hours * HOUR);
    await act(team, id, scheduleCampaign);
  };

  it("starts at its time, not before, also after an eviction", async () => {
    await schedule(2);
    advance(2 * HOUR - 1_000);
    await pump();
    expect((await stored()).status).toBe("Scheduled");
    await evictDurableObject(team.stub);
    advance(1_000);
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await runAlarm(team.stub);
    expect(await states()).toHaveLength(3);
  });

  it("starts up to an hour late; later it is held for a person, and has no recipients until then", async () => {
    await schedule(2);
    advance(3 * HOUR);
    await step();
    expect(await stored()).toMatchObject({ status: "Sending", state: "snapshot" });
    await team.run("UPDATE campaigns SET status = 'Scheduled', state = NULL, max_contact = NULL");
    advance(1);
    await pump();
    expect(await stored()).toMatchObject({ status: "Sending", state: "held", reason: "late", maxContact: null });
    expect(await states()).toEqual([]);
    await act(team, id, resumeCampaign);
    await finished();
    expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: 3 });
  });

  it("is a draft again when it is unscheduled, with the segment as it is later", async () => {
    const filter = (value: string) => ({
      match: "all",
      conditions: [{ type: "property", key: "email", operator: "equals", value }],
    });
    const segment = (await team.post("/audience-segments", { name: "One", filter: filter(EMAILS[0] ?? "") })).json;
    await team.post(`/campaigns/${id}`, { audienceSegmentId: segment.id });
    await schedule(2);
    await act(team, id, unscheduleCampaign);
    await team.run("UPDATE segments SET filter = ?", JSON.stringify(filter(EMAILS[1] ?? "")));
    await schedule(2);
    await team.run("UPDATE segments SET filter = ?", JSON.stringify(filter(EMAILS[2] ?? "")));
    advance(2 * HOUR);
    await finished();
    expect((await recipientsOf(team)).map(({ email }) => email)).toEqual([EMAILS[1]]);
  });
});

it("goes on after an eviction at each step", async () => {
  await act(team, id);
  for (let n = 0; n < 6; n++) {
    await evictDurableObject(team.stub);
    await step();
    await evictDurableObject(team.stub);
    await settleAll("accepted", 1);
  }
  expect(await progressOf(team, id)).toMatchObject({ state: "done", recipients: 3, sent: 3 });
  expect(await states()).toEqual(["sent", "sent", "sent"]);
});

it("has a bounded number of mails in the ledger, also while none of them is due", async () => {
  await act(team, id);
  await step();
  await team.run("UPDATE message_counts SET accepted = 0");
  await team.run(
    `INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, accepted, deferred)
       SELECT message, 0, 0, 0, 0, 0, 20400, 400 FROM campaigns`,
  );
  const claimed = () => team.inside((sql) => claim(sql).length);
  expect(await claimed()).toBe(0);
  await team.run("UPDATE message_counts SET deferred = 600");
  expect(await claimed()).toBe(3);
});
