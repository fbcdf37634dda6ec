import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { cancelCampaign, startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { advance, createTeam, isolated, request, runAlarm, START } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import { act, addCampaign, addContacts, campaignOf, drive, progressOf, pumpOnce, recipientsOf } from "./bench.ts";

isolated();

const HOUR = 3_600_000;
const [ADA, BO, CY, DI] = ["ada@example.com", "bo@example.com", "cy@example.com", "di@example.com"];

const addresses = async (): Promise<string[]> =>
  ((await request("GET", "/inbox.json")).json.mails as { to: string }[]).map(({ to }) => to).sort();

describe("a campaign that is started", () => {
  it("sends each contact of its audience one mail, says who got none and why, and is then sent", async () => {
    const team = await createTeam();
    await addContacts(team, [ADA, BO, CY, DI]);
    await team.put("/contacts/update", { userId: "without-address" });
    await team.put("/contacts/update", { email: BO, subscribed: false });
    await team.admin("POST", "/suppressions", { email: CY });
    const id = await addCampaign(team);
    await act(team, id);
    await drive(team);
    expect(await addresses()).toEqual([ADA, DI]);
    expect(await recipientsOf(team)).toEqual([
      { email: ADA, state: "sent", reason: null },
      { email: BO, state: "skipped", reason: "unsubscribed" },
      { email: CY, state: "skipped", reason: "suppressed" },
      { email: DI, state: "sent", reason: null },
      { email: null, state: "skipped", reason: "no_email" },
    ]);
    const { status, delivery } = (await team.get(`/campaigns/${id}`)).json;
    expect(status).toBe("Sent");
    expect(delivery).toMatchObject({
      state: "done",
      recipients: 5,
      queued: 0,
      sent: 2,
      skipped: 3,
      failed: 0,
      unknown: 0,
      cancelled: 0,
      finishedAt: expect.any(String),
    });
    expect((await team.get(`/campaigns/${id}/metrics`)).json).toMatchObject({ sends: 2 });
    await drive(team);
    expect(await addresses()).toEqual([ADA, DI]);
  });

  it("is for the contacts that meet list, segment and filter, as they are at the start", async () => {
    const team = await createTeam({ createProperties: true });
    const { id: news } = (await team.admin("POST", "/lists", { name: "News" })).json;
    const both = { mailingLists: { [news]: true }, plan: "pro", seats: 3 };
    await addContacts(team, [ADA], both);
    await addContacts(team, [BO], { ...both, plan: "free" });
    await addContacts(team, [CY], { ...both, seats: 1 });
    await addContacts(team, [DI], { plan: "pro", seats: 3 });
    const condition = (key: string, operator: string, value: unknown) => ({ type: "property", key, operator, value });
    const segment = await team.post("/audience-segments", {
      name: "Pro",
      filter: { match: "all", conditions: [condition("plan", "equals", "pro")] },
    });
    expect(segment.status, segment.text).toBe(200);
    const id = await addCampaign(team, {
      mailingListId: news,
      audienceSegmentId: segment.json.id,
      audienceFilter: { match: "all", conditions: [condition("seats", "greaterThan", 2)] },
    });
    await act(team, id);
    await team.run(`UPDATE segments SET filter = '{"match":"all","conditions":[]}'`);
    await addContacts(team, ["late@example.com"], both);
    await drive(team);
    expect(await addresses()).toEqual([ADA]);
    expect(await recipientsOf(team)).toEqual([{ email: ADA, state: "sent", reason: null }]);
  });

  it("is sent at once when its last mail may no longer leave", async () => {
    const team = await createTeam();
    await addContacts(team, [ADA]);
    const id = await addCampaign(team);
    await team.inside(async (sql, storage) => {
      storage.transactionSync(() => startCampaign(contextOf(sql), campaignOf(sql, id)));
      await pumpOnce(sql);
    });
    expect(await progressOf(team, id)).toMatchObject({ state: "sending", recipients: 1, queued: 1 });
    await team.put("/contacts/update", { email: ADA, subscribed: false });
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await runAlarm(team.stub);
    expect(await team.inside((_, storage) => storage.getAlarm())).toBe(Date.now());
    await runAlarm(team.stub);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", recipients: 1, queued: 0, skipped: 1 });
    expect(await addresses()).toEqual([]);
  });

  it("without recipients is sent at once", async () => {
    const team = await createTeam();
    const id = await addCampaign(team);
    await act(team, id);
    await drive(team);
    expect(await progressOf(team, id)).toMatchObject({ state: "done", recipients: 0, finishedAt: expect.any(String) });
  });
});

describe("a campaign that is cancelled", () => {
  it("while it is scheduled has no recipients", async () => {
    const team = await createTeam();
    await addContacts(team, [ADA]);
    const id = await addCampaign(team);
    await team.run(
      "UPDATE campaigns SET status = 'Scheduled', method = 'schedule', scheduled_at = ?",
      Date.now() + 1e6,
    );
    await act(team, id, cancelCampaign);
    await drive(team);
    expect((await team.get(`/campaigns/${id}`)).json).toMatchObject({
      status: "Sent",
      delivery: { state: "cancelled", recipients: 0, finishedAt: expect.any(String) },
    });
    expect(await addresses()).toEqual([]);
  });
});

it("a campaign that fills a send limit goes on when there is room, also after a restart meanwhile", async () => {
  const team = await createTeam();
  await addContacts(team, [ADA, BO, CY]);
  const id = await addCampaign(team);
  await team.admin("POST", "", { sendPerHour: 2 });
  await act(team, id);
  await drive(team);
  expect(await progressOf(team, id)).toMatchObject({ sent: 2, queued: 1 });
  const opensAt = START + HOUR;
  advance(HOUR - 600_000);
  await evictDurableObject(team.stub);
  await runAlarm(team.stub);
  const alarm = await team.inside((_, storage) => storage.getAlarm());
  expect(alarm).not.toBeNull();
  expect(Number(alarm)).toBeLessThanOrEqual(opensAt + 60_000);
  advance(Number(alarm) - Date.now());
  await runAlarm(team.stub);
  expect(await progressOf(team, id)).toMatchObject({ sent: 3, queued: 0 });
});
