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

const shown = async () => (await team.get(`/campaigns/${id}`)).json;
const status = async () => (await team.admin("GET", `/campaigns/${id}/status`)).json;
const people = () => team.rows("SELECT count(*) AS n FROM recipients");
const run = async () => {
  for (let n = 0; n < 12; n++) {
    await runAlarm(team.stub);
    advance(1_500);
  }
};
const inOneHour = () => ({ scheduling: { method: "schedule", timestamp: Date.now() + HOUR } });

const erasing = async (): Promise<void> => {
  await team.inside((sql, storage) => {
    unscheduleCampaign(contextOf(sql), campaignOf(sql, id));
    return storage.deleteAlarm();
  });
  await team.run("UPDATE campaigns SET method = 'now', scheduled_at = NULL");
};

beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  await addContacts(team, 20);
  id = (await addReady(team, inOneHour())).id;
  expect((await act(team, id, "send", { expected: 20 })).json.status).toBe("Scheduled");
  await addContacts(team, 1_300, 100);
  advance(HOUR);
  await run();
});

describe("a campaign with more recipients at its start than were confirmed", () => {
  it("is held, has sent nothing, and says what can be done", async () => {
    const held = { state: "held", reason: "more_recipients", recipients: 1_320, queued: 1_320, sent: 0 };
    expect(await shown()).toMatchObject({ status: "Sending", delivery: held });
    expect((await status()).waiting).toEqual([
      {
        code: "more_recipients",
        message:
          "It would go to 1320 recipients now (those who may not get it are not in this number), and a person confirmed 20, and at most 22 at its start. Nothing of it is sent. Resume it with the new number to send it to all of them, unschedule it to change it, or cancel it.",
      },
    ]);
  });

  it("names both numbers for a program, until the new one is confirmed", async () => {
    expect((await status()).unconfirmed).toEqual({ recipients: 1_320, confirmed: 20, maxRecipients: 22 });
    await act(team, id, "resume", { expected: 1_320 });
    expect((await status()).unconfirmed).toBeNull();
  });

  it.each([undefined, { expected: 20 }, { expected: 1_300 }])("is not resumed with %j", async (body) => {
    const { status: code, json } = await act(team, id, "resume", body);
    expect(code).toBe(409);
    expect(json).toMatchObject({ code: "audience_changed", path: "expected", recipients: 1_320, confirmed: 20 });
    expect(json.message).toMatch(/1320 recipients now, and a person confirmed 20\. .*"expected": 1320.*unschedule it/);
    await run();
    expect((await shown()).delivery).toMatchObject({ state: "held", sent: 0 });
  });

  it("goes to all of them once their number was confirmed, which may be off by 1 %", async () => {
    expect((await act(team, id, "resume", { expected: 1_310 })).status).toBe(200);
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await shown()).toMatchObject({ status: "Sent", delivery: { state: "done", sent: 1_320 } });
  });

  it("can be unscheduled: it is a draft, erases its recipients, and can be changed and sent again", async () => {
    const { status: code, json } = await act(team, id, "unschedule");
    expect([code, json]).toMatchObject([200, { status: "Draft", progress: null }]);
    await run();
    expect(await people()).toEqual([{ n: 0 }]);
    const one = {
      match: "all",
      conditions: [{ type: "property", key: "email", operator: "equals", value: "p1@example.com" }],
    };
    expect((await team.post(`/campaigns/${id}`, { audienceFilter: one, scheduling: { method: "now" } })).status).toBe(
      200,
    );
    expect((await act(team, id, "send", { expected: 1 })).json.status).toBe("Sending");
    await run();
    expect(await shown()).toMatchObject({
      status: "Sent",
      delivery: { state: "done", recipients: 1, sent: 1, skipped: 0, queued: 0 },
    });
    expect((await team.admin("GET", `/campaigns/${id}/results`)).json).toMatchObject({ recipients: 1, deleted: 0 });
  });

  it("can be sent, paused and sent while its old recipients are being erased, through crashes", async () => {
    await erasing();
    const slice = (crashes: () => boolean = () => false) =>
      team.inside((_, storage) => pumpSlices(storage, { slices: 1, crashes }));
    await slice();
    await slice(() => true);
    expect((await people())[0]?.n).toBeGreaterThan(0);
    expect((await act(team, id, "send", { expected: 1_320 })).json.status).toBe("Sending");
    expect((await act(team, id, "pause")).status).toBe(200);
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await shown()).toMatchObject({
      status: "Sent",
      delivery: { state: "done", recipients: 1_320, sent: 1_320, skipped: 0, cancelled: 0 },
    });
  });

  it("has no recipients where it was sent again and cancelled before the old ones were erased", async () => {
    await erasing();
    await team.inside((sql, storage) =>
      storage.transactionSync(() => {
        startCampaign(contextOf(sql), campaignOf(sql, id));
        cancelCampaign(contextOf(sql), campaignOf(sql, id));
      }),
    );
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await run();
    expect((await shown()).delivery).toMatchObject({
      state: "cancelled",
      recipients: 0,
      queued: 0,
      cancelled: 0,
      sent: 0,
      finishedAt: expect.any(String),
    });
    expect(await people()).toEqual([{ n: 0 }]);
  });

  it("can be cancelled", async () => {
    expect((await act(team, id, "cancel")).status).toBe(200);
    await run();
    expect((await shown()).delivery).toMatchObject({
      state: "cancelled",
      recipients: 1_320,
      cancelled: 1_320,
      sent: 0,
    });
  });
});
