import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  cancelCampaign,
  startCampaign,
  unscheduleCampaign,
} from "../../../../../src/email/workspace/campaigns/control.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import { campaignOf, pumpSlices } from "./bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const HOUR = 3_600_000;

let team: Team;
let id: string;
let lines: string[];

const shown = async () => (await team.get(`/campaigns/${id}`)).json;
const told = async (what: string) => (await team.admin("GET", `/campaigns/${id}/${what}`)).json;
const people = async () => Number((await team.rows("SELECT count(*) AS n FROM recipients"))[0]?.n);
const run = async () => {
  await team.inside((_, storage) => storage.setAlarm(Date.now()));
  for (let n = 0; n < 12; n++) {
    await runAlarm(team.stub);
    advance(1_500);
  }
};
const NONE = { recipients: 0, queued: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0 };
const slice = () =>
  team.inside(async (_, storage) => {
    await pumpSlices(storage, { slices: 1 });
    await storage.deleteAlarm();
  });
const change = (what: typeof cancelCampaign) =>
  team.inside((sql, storage) => {
    storage.transactionSync(() => what(contextOf(sql), campaignOf(sql, id)));
    return storage.deleteAlarm();
  });

beforeEach(async () => {
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line) => lines.push(String(line)));
  team = await createTeam();
  await addContacts(team, 20);
  id = (await addReady(team, { scheduling: { method: "schedule", timestamp: Date.now() + HOUR } })).id;
  await act(team, id, "send", { expected: 20 });
  await addContacts(team, 1_300, 100);
  await team.run("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', json('false')) WHERE n % 10 = 0");
  advance(HOUR);
  await run();
  expect((await shown()).delivery).toMatchObject({ reason: "more_recipients", recipients: 1_320, skipped: 132 });
  await change(unscheduleCampaign);
});

const sendAgain = async () => {
  await team.run("UPDATE campaigns SET method = 'now', scheduled_at = NULL");
  await change(startCampaign);
};

describe("a campaign whose old recipients are being deleted", () => {
  it("has none of them in its results, its recipients and its counts", async () => {
    for (let slices = 0; slices < 3; slices++) {
      expect(await people()).toBe(1_320 - 501 * slices);
      expect(await told("results")).toMatchObject({ ...NONE, deleted: 0, reasons: [] });
      expect(await told("recipients")).toMatchObject({ data: [] });
      await slice();
      expect((await team.post("/contacts/delete", { email: `p${1_300 + slices}@example.com` })).status).toBe(200);
      await team.inside((_, storage) => storage.deleteAlarm());
    }
    expect(await people()).toBe(0);
    expect(await told("results")).toMatchObject({ ...NONE, deleted: 0, reasons: [] });
  });

  it("shows nobody once it was sent again, and then its new recipients only", async () => {
    await sendAgain();
    expect((await shown()).delivery).toMatchObject({ state: "snapshot", ...NONE });
    expect((await told("status")).progress).toMatchObject(NONE);
    await run();
    expect((await shown()).delivery).toMatchObject({ state: "done", recipients: 1_320, sent: 1_188, skipped: 132 });
    expect(await told("results")).toMatchObject({ recipients: 1_320, deleted: 0 });
  });

  it("finishes after the last of them where it is cancelled meanwhile, and says so of each contact", async () => {
    const why = async () => {
      const { code, text, recipient } = await told("contacts/p5@example.com");
      return { code, text, recipient };
    };
    await sendAgain();
    expect((await why()).code).toBe("not_looked_at");
    await change(cancelCampaign);
    const cancelled = {
      code: "cancelled",
      text: "The campaign was cancelled before it looked at this contact.",
      recipient: null,
    };
    expect(await why()).toEqual(cancelled);
    expect((await shown()).delivery).toMatchObject({ state: "cancelled", finishedAt: null, ...NONE });
    await run();
    expect(await people()).toBe(0);
    expect((await shown()).delivery).toMatchObject({ state: "cancelled", finishedAt: expect.any(String), ...NONE });
    expect(await why()).toEqual(cancelled);
  });

  it.each([
    [
      "the mails of its message",
      "INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, accepted) SELECT message, 0, 0, 0, 0, 0, 1 FROM campaigns",
    ],
    ["the place up to which recipients have mails", "UPDATE campaigns SET claimed_cursor = 1"],
    ["the state of a recipient", "UPDATE recipients SET state = 'in_ledger' WHERE contact = 7"],
  ])("keeps them where %s says that it has mails: the step fails", async (_, sql) => {
    await team.run(sql);
    await slice();
    await slice();
    expect(await people()).toBe(1_320);
    const failure = lines.find((line) => line.includes("campaign_failed"));
    expect(JSON.parse(failure ?? "{}")).toMatchObject({
      campaign: id,
      error: `The recipients of ${id} are not deleted, because it has mails.`,
    });
  });
});
