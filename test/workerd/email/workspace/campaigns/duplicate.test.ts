import { beforeEach, describe, expect, it } from "vitest";
import { control } from "../../../../../src/lib/contract/admin/email/campaigns/control.ts";
import { createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, 20);
});

const campaignOf = async (id: string) => (await team.get(`/campaigns/${id}`)).json;
const messageOf = async (id: string) =>
  (await team.get(`/email-messages/${(await campaignOf(id)).emailMessageId}`)).json;

const copyOf = async (id: string) => {
  const { status, json } = await act(team, id, "duplicate");
  expect(status, JSON.stringify(json)).toBe(201);
  expect(control.duplicate.response.parse(json)).toEqual(json);
  return campaignOf(json.id);
};

describe("a copy of a campaign", () => {
  it("is a draft with its message, its audience and its group, and no time", async () => {
    const group = (await team.post("/campaign-groups", { name: "Sales" })).json.id;
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    const audienceFilter = {
      match: "all",
      conditions: [{ type: "property", key: "email", operator: "contains", value: "@example.com" }],
    };
    const timestamp = new Date(Date.now() + 7_200_000).toISOString();
    const fields = { campaignGroupId: group, mailingListId: list, audienceFilter };
    const { id, message } = await addReady(team, { ...fields, scheduling: { method: "schedule", timestamp } });
    const before = await campaignOf(id);
    const copy = await copyOf(id);
    expect(copy).toMatchObject({ ...fields, name: "Spring sale (copy)", status: "Draft", audienceSegmentId: null });
    expect(copy.scheduling).toEqual({ method: "now", timestamp: null });
    expect(copy.emailMessageId).not.toBe(message);
    const { subject, fromName, fromEmail, lmx } = await messageOf(id);
    expect(await messageOf(copy.id)).toMatchObject({ subject, fromName, fromEmail, lmx });
    expect(await campaignOf(id)).toEqual(before);
  });

  it("of one that was sent is sent like any other, and its message is its own", async () => {
    const { id } = await addReady(team);
    expect((await act(team, id, "send", { expected: 20 })).json.status).toBe("Sending");
    const copy = await copyOf(id);
    expect((await team.post(`/email-messages/${copy.emailMessageId}`, { subject: "Last days" })).status).toBe(200);
    expect((await messageOf(id)).subject).toBe("Sale");
    const { status, json } = await act(team, copy.id, "send", { expected: 20 });
    expect([status, json.status]).toEqual([200, "Sending"]);
  });

  it("can be for those who got it and did not open it, and for nobody else", async () => {
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    const audienceFilter = {
      match: "all",
      conditions: [{ type: "property", key: "email", operator: "notEquals", value: "contact1@example.com" }],
    };
    const { id } = await addReady(team, { audienceFilter });
    const early = await act(team, id, "duplicate", { to: "notOpened" });
    expect([early.status, early.json.code, early.json.path]).toEqual([409, "campaign_not_sent", "to"]);
    expect((await act(team, id, "duplicate", { to: "opened" })).json).toMatchObject({ path: "to" });
    await team.run("UPDATE campaigns SET started_at = 1, list = ? WHERE id = ?", list, id);
    for (const [to, action] of [
      ["notOpened", "opened"],
      ["notClicked", "clicked"],
    ]) {
      const { status, json } = await act(team, id, "duplicate", { to });
      expect([status, json.name]).toEqual([201, `Spring sale (not ${action})`]);
      expect(await campaignOf(json.id)).toMatchObject({
        mailingListId: list,
        audienceSegmentId: null,
        audienceFilter: {
          match: "all",
          conditions: [{ type: "activity", action, negate: true, target: "campaign", id }],
        },
      });
    }
  });

  it("takes the themes and components as they are now", async () => {
    const component = (await team.post("/components", { name: "Foot", lmx: "<Paragraph>Old foot</Paragraph>" })).json;
    const lmx = `<Paragraph>Sale</Paragraph><Component componentId="${component.id}" />`;
    const { id } = await addReady(team, {}, { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx });
    expect((await act(team, id, "send", { expected: 20 })).status).toBe(200);
    expect((await team.post(`/components/${component.id}`, { lmx: "<Paragraph>New foot</Paragraph>" })).status).toBe(
      200,
    );
    await copyOf(id);
    await runAlarm(team.stub);
    const compiled = await team.rows(
      "SELECT r.compiled FROM email_messages m JOIN message_revisions r ON r.n = m.revision JOIN campaigns c ON c.n = m.campaign ORDER BY c.n",
    );
    expect(compiled.map((one) => /(Old|New) foot/.exec(String(one.compiled))?.[0])).toEqual(["Old foot", "New foot"]);
  });

  it("has a name of at most 255 characters, and none of them is cut in two", async () => {
    const { id } = await addReady(team, { name: `${"a".repeat(247)}👋bcdefg` });
    expect((await copyOf(id)).name).toBe(`${"a".repeat(247)} (copy)`);
  });

  it("is refused for a campaign that is not there, with fields, and where the team has too many", async () => {
    const { id } = await addReady(team);
    const unknown = await act(team, "cmp_none", "duplicate");
    expect([unknown.status, unknown.json.code, unknown.json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
    const extra = await act(team, id, "duplicate", { name: "Other" });
    expect([extra.status, extra.json.code, extra.json.path]).toEqual([400, "invalid_request", "name"]);
    await team.run(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 9999)
       INSERT INTO campaigns (n, id, message, content_group, name, method, status, created_at, updated_at)
       SELECT i, 'cmp_' || i, 1, 2, 'Old', 'now', 'Draft', 1, 1 FROM c`,
    );
    const full = await act(team, id, "duplicate");
    expect([full.status, full.json.code]).toEqual([400, "too_many_campaigns"]);
  });
});
