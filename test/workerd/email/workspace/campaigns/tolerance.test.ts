import { beforeEach, describe, expect, it, vi } from "vitest";
import { findCampaign } from "../../../../../src/email/workspace/campaigns/campaign-rows.ts";
import { tellTeam } from "../../../../../src/email/workspace/campaigns/notice.ts";
import { advance, createTeam, isolated, request, runAlarm, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const HOUR = 3_600_000;
const OWNER = "owner@acme.example";

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  await team.post("/contacts/properties", { name: "seats", type: "number" });
  await addContacts(team, 20);
});

const scheduled = async (body: object = {}) => {
  const { id } = await addReady(team, { scheduling: { method: "schedule", timestamp: Date.now() + HOUR } });
  return { id, answer: await act(team, id, "send", { expected: 20, ...body }) };
};
const run = async () => {
  for (let n = 0; n < 8; n++) {
    await runAlarm(team.stub);
    advance(1_500);
  }
};
const start = async () => {
  advance(HOUR);
  await run();
};
const statusOf = async (id: string) => (await team.admin("GET", `/campaigns/${id}/status`)).json;
const notices = async (): Promise<{ subject: string; text: string; html: string; to: string }[]> => {
  const { mails } = (await request("GET", "/inbox.json")).json as { mails: { id: string; to: string }[] };
  const ours = mails.filter(({ to }) => to === OWNER);
  return Promise.all(ours.map(async ({ id }) => (await request("GET", `/inbox/${id}.json`)).json));
};

describe("the audience of a scheduled campaign", () => {
  it("may grow by a tenth until its start, where nobody chose a number", async () => {
    const { id, answer } = await scheduled();
    expect(answer.json).toMatchObject({ status: "Scheduled", maxRecipients: 22 });
    expect(await statusOf(id)).toMatchObject({ confirmed: 20, maxRecipients: 22, unconfirmed: null });
    await addContacts(team, 2, 100);
    await start();
    expect(await statusOf(id)).toMatchObject({ status: "Sent", progress: { sent: 22 } });
  });

  it("may grow up to the number that was chosen", async () => {
    const { id, answer } = await scheduled({ maxRecipients: 50 });
    expect(answer.json.maxRecipients).toBe(50);
    await addContacts(team, 30, 100);
    await start();
    expect(await statusOf(id)).toMatchObject({ status: "Sent", progress: { sent: 50 } });
  });

  it("may lose people", async () => {
    const { id } = await scheduled({ maxRecipients: 20 });
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', jsonb('false')) WHERE n <= 10");
    await start();
    expect(await statusOf(id)).toMatchObject({ status: "Sent", progress: { sent: 10, skipped: 10 } });
  });

  it("holds the campaign above that number, and nothing is sent until a person has confirmed the new one", async () => {
    const { id } = await scheduled({ maxRecipients: 21 });
    await addContacts(team, 5, 100);
    await start();
    const status = await statusOf(id);
    expect(status).toMatchObject({
      progress: { state: "held", reason: "more_recipients", sent: 0 },
      unconfirmed: { recipients: 25, confirmed: 20, maxRecipients: 21 },
    });
    expect(status.waiting[0].message).toContain("a person confirmed 20, and at most 21 at its start.");
    expect((await act(team, id, "resume")).json).toMatchObject({ code: "audience_changed", path: "expected" });
    expect((await act(team, id, "resume", { expected: 25 })).status).toBe(200);
    await run();
    expect(await statusOf(id)).toMatchObject({ status: "Sent", progress: { sent: 25 } });
  });

  it("is compared with a tenth again after the campaign was a draft once more", async () => {
    const { id } = await scheduled({ maxRecipients: 100 });
    expect((await act(team, id, "unschedule")).status).toBe(200);
    expect(await statusOf(id)).toMatchObject({ confirmed: null, maxRecipients: null });
    expect((await act(team, id, "send", { expected: 20 })).json.maxRecipients).toBe(22);
  });

  it("of a delayed start may grow by one in a hundred, or by one", async () => {
    const { id } = await addReady(team);
    const { json } = await act(team, id, "send", { expected: 20, delaySeconds: 60 });
    expect(json).toMatchObject({ status: "Scheduled", maxRecipients: 21 });
  });

  it("has no bound where the campaign starts at once", async () => {
    const { id } = await addReady(team);
    const { json } = await act(team, id, "send", { expected: 20 });
    expect(json).toMatchObject({ status: "Sending", maxRecipients: null });
  });

  it.each([
    [{ maxRecipients: 19 }, "maxRecipients", "must not be below expected"],
    [{ maxRecipients: 1.5 }, "maxRecipients", "must be a whole number"],
    [{ maxRecipients: -1, dryRun: true }, "maxRecipients", "must not be negative"],
    [{ maxRecipients: "many" }, "maxRecipients", "must be a whole number"],
  ])("is not bounded by %j", async (body, path, words) => {
    const { answer } = await scheduled(body);
    expect([answer.status, answer.json.code, answer.json.path]).toEqual([400, "invalid_request", path]);
    expect(answer.json.message).toContain(words);
  });
});

describe("the address for notices", () => {
  const setAddress = async () => {
    const { status, json } = await team.admin("POST", "", { noticeEmail: OWNER });
    expect([status, json.noticeEmail]).toEqual([200, OWNER]);
  };

  it("gets one mail when a campaign is held, with its cause and without its recipients", async () => {
    await setAddress();
    const { id } = await scheduled({ maxRecipients: 21 });
    await addContacts(team, 5, 100);
    await start();
    await run();
    const [mail, ...more] = await notices();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("Your campaign “Spring sale” is held");
    expect(mail?.text).toContain("It would go to 25 people now, and at most 21 were allowed.");
    expect(mail?.text).toContain("Nothing of it is sent.");
    expect(mail?.html).not.toMatch(/p\d+@example\.com|con_\d/);
    expect((await act(team, id, "resume", { expected: 25 })).status).toBe(200);
    await run();
    expect(await statusOf(id)).toMatchObject({ status: "Sent" });
    expect(await notices()).toHaveLength(1);
  });

  it("gets another one for another hold", async () => {
    await setAddress();
    const { id } = await scheduled();
    advance(2 * HOUR);
    await start();
    expect(await notices()).toHaveLength(1);
    expect((await notices())[0]?.text).toContain("It could not start within an hour after its time.");
    await addContacts(team, 50, 100);
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await notices()).toHaveLength(2);
  });

  it("has the address of the campaign in the dashboard, where that is known", async () => {
    await setAddress();
    const { id } = await scheduled();
    const tell = (dashboardUrl: string | undefined) =>
      team.inside((sql) => {
        const context = { ...contextOf(sql), dashboardUrl };
        const found = findCampaign(context, id);
        if ("campaign" in found) tellTeam(context, found.campaign, "bounce_rate");
      });
    await tell("https://mailspan.acme.example");
    await tell(undefined);
    await run();
    const link = `href="https://mailspan.acme.example/campaigns/${id}"`;
    const mails = await notices();
    expect(mails.map(({ html }) => html.includes(link)).sort()).toEqual([false, true]);
    expect(mails.filter(({ html }) => html.includes("Open the campaign"))).toHaveLength(1);
  });

  it("is asked for no mail where there is none", async () => {
    const { id } = await scheduled({ maxRecipients: 20 });
    await addContacts(team, 5, 100);
    await start();
    expect((await statusOf(id)).progress.state).toBe("held");
    expect(await notices()).toEqual([]);
  });

  it("does not keep a campaign from being held where the mail cannot be sent", async () => {
    await setAddress();
    const { id } = await scheduled({ maxRecipients: 20 });
    await addContacts(team, 5, 100);
    await team.admin("POST", "/suppressions", { email: OWNER });
    await start();
    expect((await statusOf(id)).progress.state).toBe("held");
    expect(await notices()).toEqual([]);
  });

  it.each(["nobody", "a@b", "Mara <mara@acme.example>"])("is no other text: %s", async (noticeEmail) => {
    const { status, json } = await team.admin("POST", "", { noticeEmail });
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "noticeEmail"]);
  });
});
