import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const HOUR = 3_600_000;

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, 20);
});

const inState = async (status: string, state: string | null): Promise<string> => {
  const scheduling = { method: "schedule", timestamp: Date.now() + HOUR };
  const { id } = await addReady(team, { scheduling });
  await team.run(
    `UPDATE campaigns SET status = ?, state = ?, max_contact = iif(?2 IS NULL, NULL, 20), snapshot_cursor = 20,
       started_at = iif(?2 IS NULL, NULL, created_at) WHERE id = ?`,
    status,
    state,
    id,
  );
  return id;
};

const seen = async (id: string) => {
  const { status, delivery } = (await team.get(`/campaigns/${id}`)).json;
  return [status, delivery?.state ?? null];
};

const ACTIONS = ["unschedule", "pause", "resume", "cancel", "retry-unknown"] as const;

describe("an action of the operator", () => {
  it.each([
    ["unschedule", "Scheduled", null, "Draft", null],
    ["pause", "Sending", "snapshot", "Sending", "paused"],
    ["pause", "Sending", "sending", "Sending", "paused"],
    ["cancel", "Scheduled", null, "Sent", "cancelled"],
    ["cancel", "Sending", "sending", "Sent", "cancelled"],
    ["cancel", "Sending", "paused", "Sent", "cancelled"],
    ["cancel", "Sending", "held", "Sent", "cancelled"],
  ] as const)("%s changes a campaign that is %s, %s, and does nothing the second time", async (...one) => {
    const [action, status, state, ...after] = one;
    const id = await inState(status, state);
    const first = await act(team, id, action);
    expect([first.status, first.json.status, first.json.progress?.state ?? null]).toEqual([200, ...after]);
    expect(first.json).toMatchObject({ id, name: "Spring sale", scheduledFor: expect.stringMatching(/^2090-/) });
    expect(await seen(id)).toEqual(after);
    const before = await team.everything();
    const second = await act(team, id, action);
    expect([second.status, second.json.status, second.json.progress?.state ?? null]).toEqual([200, ...after]);
    expect(await team.everything()).toBe(before);
  });

  it.each(["paused", "held"])("resume lets a campaign go on that is %s", async (state) => {
    const id = await inState("Sending", state);
    const { status, json } = await act(team, id, "resume");
    expect([status, json.status]).toEqual([200, "Sending"]);
    expect(["snapshot", "sending"]).toContain(json.progress.state);
  });

  it.each([
    ["unschedule", "Sending", "sending", "campaign_not_scheduled", "The campaign is sending. Pause it, or cancel it."],
    ["unschedule", "Sent", "done", "campaign_not_scheduled", "The campaign has been sent. "],
    ["pause", "Draft", null, "campaign_not_sending", "The campaign is a draft"],
    ["pause", "Scheduled", null, "campaign_not_sending", "The campaign is scheduled"],
    ["pause", "Sent", "done", "campaign_not_sending", "The campaign has been sent. "],
    ["pause", "Sent", "cancelled", "campaign_not_sending", "The campaign was cancelled"],
    ["resume", "Draft", null, "campaign_not_paused", "The campaign is a draft"],
    ["resume", "Scheduled", null, "campaign_not_paused", "The campaign is scheduled"],
    ["resume", "Sent", "cancelled", "campaign_not_paused", "The campaign was cancelled"],
    ["cancel", "Draft", null, "campaign_not_sending", "The campaign is a draft"],
    ["cancel", "Sent", "done", "campaign_not_sending", "The campaign has been sent. "],
    ["retry-unknown", "Draft", null, "campaign_not_sent", "The campaign is a draft"],
    ["retry-unknown", "Scheduled", null, "campaign_not_sent", "The campaign is scheduled"],
    ["retry-unknown", "Sent", "cancelled", "campaign_cancelled", "The campaign was cancelled"],
  ] as const)("%s is refused for a campaign that is %s, %s", async (action, status, state, code, words) => {
    const id = await inState(status, state);
    const before = await team.everything();
    const { status: answered, json } = await act(team, id, action);
    expect([answered, json.code, json.path, json.success]).toEqual([409, code, "campaignId", false]);
    expect(json.message).toContain(words);
    expect(await team.everything()).toBe(before);
  });

  it("retry-unknown says that no outcome is unknown, and changes nothing", async () => {
    const id = await inState("Sent", "done");
    const before = await team.everything();
    expect((await act(team, id, "retry-unknown")).json).toEqual({ id, retry: null });
    expect(await team.everything()).toBe(before);
  });

  it.each(ACTIONS)("%s takes no fields, and knows no campaign of another team", async (action) => {
    const id = await inState("Sending", "sending");
    const before = await team.everything();
    const extra = await act(team, id, action, { dryRun: true });
    expect([extra.status, extra.json.code, extra.json.path]).toEqual([400, "invalid_request", "dryRun"]);
    const other = await createTeam({ id: "other" });
    for (const unknown of [id, "cmp_none"]) {
      const { status, json } = await act(other, unknown, action);
      expect([status, json.code, json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
    }
    expect(await team.everything()).toBe(before);
  });
});

it("an unscheduled campaign can be changed and sent again", async () => {
  const scheduling = { method: "schedule", timestamp: Date.now() + HOUR };
  const { id, message } = await addReady(team, { scheduling });
  expect((await act(team, id, "send", { expected: 20 })).json.status).toBe("Scheduled");
  expect((await act(team, id, "unschedule")).json).toMatchObject({ status: "Draft", progress: null });
  expect((await team.post(`/email-messages/${message}`, { subject: "New subject" })).status).toBe(200);
  expect((await team.post(`/campaigns/${id}`, { scheduling: { method: "now" } })).status).toBe(200);
  expect((await act(team, id, "send", { expected: 20 })).json.status).toBe("Sending");
});

describe("the list of campaigns", () => {
  const list = async (query = "") => {
    const { status, json } = await team.admin("GET", `/campaigns${query}`);
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };

  it("has all of them with their counts, newest first, or those with a status", async () => {
    const draft = await addReady(team);
    const sending = await inState("Sending", "sending");
    const done = await inState("Sent", "done");
    const { data, pagination } = await list();
    expect(data.map(({ id }: { id: string }) => id)).toEqual([done, sending, draft.id]);
    expect(pagination.totalResults).toBe(3);
    expect(data[2]).toEqual({
      id: draft.id,
      name: "Spring sale",
      status: "Draft",
      scheduledFor: null,
      progress: null,
      results: null,
      createdAt: expect.stringMatching(/^2090-/),
      updatedAt: expect.stringMatching(/^2090-/),
    });
    expect(data[1].progress).toEqual((await team.get(`/campaigns/${sending}`)).json.delivery);
    const one = await list("?status=Sent");
    expect([one.data.length, one.data[0].id, one.pagination.totalResults]).toEqual([1, done, 1]);
    expect((await list("?status=Scheduled")).data).toEqual([]);
  });

  it("comes in pages that keep the status", async () => {
    for (let i = 0; i < 12; i++) await addReady(team);
    const first = await list("?status=Draft&perPage=10");
    expect(first.data).toHaveLength(10);
    const url = new URL(first.pagination.nextPage);
    expect(url.pathname).toBe("/admin/teams/acme/campaigns");
    expect((await list(url.search)).data).toHaveLength(2);
  });

  it.each([
    ["?status=Paused", "status"],
    ["?perPage=5", "perPage"],
    ["?cursor=%21", "cursor"],
  ])("is refused with %s", async (query, path) => {
    const { status, json } = await team.admin("GET", `/campaigns${query}`);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", path]);
  });
});
