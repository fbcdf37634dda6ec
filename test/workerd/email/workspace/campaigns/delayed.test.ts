import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const DELAYED = { expected: 20, delaySeconds: 30 };

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  await addContacts(team, 20);
});

const campaignOf = async (id: string) => (await team.get(`/campaigns/${id}`)).json;
const run = async () => {
  for (let n = 0; n < 8; n++) {
    await runAlarm(team.stub);
    advance(1_500);
  }
};

describe("sending with a delay", () => {
  it("begins after it, and not before", async () => {
    const { id } = await addReady(team);
    const { json } = await act(team, id, "send", DELAYED);
    expect(json).toMatchObject({ status: "Scheduled", recipients: { estimate: 20, exact: true } });
    expect(Date.parse(json.scheduledFor) - Date.now()).toBe(30_000);
    expect((await campaignOf(id)).scheduling).toEqual({ method: "now", timestamp: null });
    advance(28_000);
    await runAlarm(team.stub);
    expect((await campaignOf(id)).status).toBe("Scheduled");
    advance(2_000);
    await run();
    const sent = await campaignOf(id);
    expect(sent).toMatchObject({ status: "Sent", delivery: { state: "done", sent: 20 } });
    expect(sent.scheduling).toEqual({ method: "now", timestamp: null });
  });

  it("is taken back until then: the campaign is the draft that it was, and is sent again", async () => {
    const { id } = await addReady(team);
    await act(team, id, "send", DELAYED);
    advance(29_000);
    const { json } = await act(team, id, "unschedule");
    expect(json).toMatchObject({ status: "Draft", scheduledFor: null, progress: null });
    expect((await campaignOf(id)).scheduling).toEqual({ method: "now", timestamp: null });
    advance(60_000);
    await run();
    expect((await campaignOf(id)).status).toBe("Draft");
    expect((await act(team, id, "send", { dryRun: true })).json.problems).toEqual([]);
    expect((await act(team, id, "send", { expected: 20 })).json).toMatchObject({
      status: "Sending",
      scheduledFor: null,
    });
  });

  it("does not move the time that a campaign has", async () => {
    const timestamp = new Date(Date.now() + 7_200_000).toISOString();
    const { id } = await addReady(team, { scheduling: { method: "schedule", timestamp } });
    expect((await act(team, id, "send", DELAYED)).json).toMatchObject({
      status: "Scheduled",
      scheduledFor: timestamp,
    });
    expect((await act(team, id, "unschedule")).json.scheduledFor).toBe(timestamp);
  });

  it.each([-1, 0.5, 301, "30"])("of %j is refused", async (delaySeconds) => {
    const { id } = await addReady(team);
    const { status, json } = await act(team, id, "send", { expected: 20, delaySeconds });
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "delaySeconds"]);
    expect((await campaignOf(id)).status).toBe("Draft");
  });
});
