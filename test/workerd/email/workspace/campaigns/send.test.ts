import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const HOUR = 3_600_000;

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.admin("POST", "", { postalAddress: "1 Main Street" });
  await team.post("/contacts/properties", { name: "seats", type: "number" });
  await addContacts(team, 30);
});

const codes = (found: { code: string; path: string | null }[]) => found.map(({ code, path }) => [code, path]);
const stateOf = (id: string) =>
  team.inside((sql) => sql.exec("SELECT status, state, reason FROM campaigns WHERE id = ?", id).one());

const refused = async (id: string, body: object, ...expected: [status: number, code: string, path: string]) => {
  const before = await team.everything();
  const { status, json } = await act(team, id, "send", body);
  expect([status, json.code, json.path], JSON.stringify(json)).toEqual(expected);
  expect(await team.everything()).toBe(before);
  return json;
};

describe("sending", () => {
  it("starts a campaign of the method now", async () => {
    const { id } = await addReady(team);
    const { status, json } = await act(team, id, "send", { expected: 30 });
    expect([status, json]).toEqual([
      200,
      {
        id,
        status: "Sending",
        scheduledFor: null,
        recipients: { estimate: 30, exact: true },
        maxRecipients: null,
        problems: [],
        warnings: [{ code: "whole_audience", path: null, message: expect.stringContaining("every contact") }],
      },
    ]);
    expect((await team.get(`/campaigns/${id}`)).json).toMatchObject({
      status: "Sending",
      delivery: { recipients: expect.any(Number) },
    });
  });

  it("schedules a campaign with a time", async () => {
    const timestamp = new Date(START + 5 * HOUR).toISOString();
    const { id } = await addReady(team, { scheduling: { method: "schedule", timestamp } });
    const { json } = await act(team, id, "send", { expected: 30 });
    expect(json).toMatchObject({ status: "Scheduled", scheduledFor: timestamp, recipients: { estimate: 30 } });
    expect((await team.get(`/campaigns/${id}`)).json.status).toBe("Scheduled");
    expect((await team.rows("SELECT count(*) AS rows FROM recipients"))[0]).toEqual({ rows: 0 });
  });

  it("changes nothing as a dry run, and needs no number", async () => {
    const { id } = await addReady(team);
    const before = await team.everything();
    const { status, json } = await act(team, id, "send", { dryRun: true });
    expect([status, json]).toMatchObject([
      200,
      { id, status: "Draft", scheduledFor: null, recipients: { estimate: 30, exact: true }, problems: [] },
    ]);
    expect(await team.everything()).toBe(before);
  });

  it("happens once", async () => {
    const { id } = await addReady(team);
    await act(team, id, "send", { expected: 30 });
    advance(100);
    for (const body of [{ expected: 30 }, { dryRun: true }]) {
      const { status, json } = await act(team, id, "send", body);
      expect([status, json.code, json.path]).toEqual([409, "campaign_not_draft", "campaignId"]);
      expect(json.message).toMatch(
        /^The campaign was sent or scheduled already, in another tab or by another person or program\. It began at [\d-]+ [\d:]+ UTC, and .+\. This request changed nothing\.$/,
      );
    }
  });

  it("is refused for a scheduled campaign, which names what to do", async () => {
    const scheduling = { method: "schedule", timestamp: START + HOUR };
    const { id } = await addReady(team, { scheduling });
    await act(team, id, "send", { expected: 30 });
    const { message } = await refused(id, { expected: 30 }, 409, "campaign_not_draft", "campaignId");
    const at = `${new Date(START + HOUR).toISOString().slice(0, 19).replace("T", " ")} UTC`;
    expect(message).toBe(
      `The campaign was sent or scheduled already, in another tab or by another person or program. It begins at ${at}. If that is wrong, unschedule it before then: it is a draft again. This request changed nothing.`,
    );
  });

  it("is refused without the number of recipients, and with fields that it does not know", async () => {
    const { id } = await addReady(team);
    for (const [body, path] of [
      [{}, "expected"],
      [{ expected: -1 }, "expected"],
      [{ expected: 1.5 }, "expected"],
      [{ expected: "30" }, "expected"],
      [{ expected: 30, dryRun: "yes" }, "dryRun"],
      [{ expected: 30, force: true }, "force"],
    ] as const)
      await refused(id, body, 400, "invalid_request", path);
  });

  it("is refused for a campaign of no team, or of another", async () => {
    const other = await createTeam({ id: "other" });
    const { id } = await addReady(other);
    for (const unknown of [id, "cmp_none"])
      await refused(unknown, { expected: 30 }, 404, "campaign_not_found", "campaignId");
    expect((await other.rows("SELECT status FROM campaigns"))[0]).toEqual({ status: "Draft" });
  });
});

describe("the expected number", () => {
  it("may differ by 1 %, and by one person", async () => {
    await addContacts(team, 370, 31);
    for (const expected of [397, 400, 404]) {
      const { id } = await addReady(team);
      expect((await act(team, id, "send", { expected })).json).toMatchObject({ recipients: { estimate: 400 } });
    }
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    const { id } = await addReady(team, { mailingListId: list });
    expect((await act(team, id, "send", { expected: 1 })).status).toBe(200);
  });

  it.each([0, 28, 32, 3_000])("is refused when it differs more: %i", async (expected) => {
    const { id } = await addReady(team);
    const json = await refused(id, { expected }, 409, "audience_changed", "expected");
    expect(json).toMatchObject({ expected, recipients: 30 });
    expect(json.message).toBe(
      `expected: the campaign would go to 30 recipients now, not to ${expected}. Check its audience, and send it with the new number.`,
    );
  });
});

describe("a campaign that is not ready", () => {
  it("is told all its problems at once", async () => {
    const lists = [(await team.admin("POST", "/lists", { name: "Old" })).json.id];
    const scheduling = { method: "schedule", timestamp: Date.now() + HOUR };
    const filter = { match: "all", conditions: [{ type: "property", key: "seats", operator: "equals", value: 3 }] };
    const { id } = await addReady(
      team,
      { mailingListId: lists[0], audienceFilter: filter, scheduling },
      { subject: " " },
    );
    await team.admin("POST", `/lists/${lists[0]}`, { isArchived: true });
    await team.run("DELETE FROM properties WHERE name = 'seats'");
    advance(2 * HOUR);
    const json = await refused(id, { expected: 3 }, 400, "campaign_not_ready", "campaignId");
    expect(codes(json.problems)).toEqual([
      ["mail_without_subject", "emailMessage.subject"],
      ["mail_not_ready", "emailMessage.fromName"],
      ["mail_not_ready", "emailMessage.fromEmail"],
      ["mail_not_ready", "emailMessage.lmx"],
      ["mailing_list_archived", "mailingListId"],
      ["unknown_property", "audienceFilter.conditions.0.key"],
      ["scheduled_time_past", "scheduling.timestamp"],
    ]);
    expect(json.message).toBe(
      "The campaign is not ready. There are 7 problems; the first one is: The mail has no subject. Give it one.",
    );
    expect(json.problems.at(-1).message).toMatch(
      /^The campaign was to start at 2090-.*Give it another time, or the method "now"\.$/,
    );
    const trial = await act(team, id, "send", { dryRun: true });
    expect(trial.json).toMatchObject({ status: "Draft", problems: json.problems, recipients: { estimate: 0 } });
  });

  it("names a segment that is gone, and one whose filter names something that is gone", async () => {
    const filter = { match: "all", conditions: [{ type: "property", key: "seats", operator: "equals", value: 3 }] };
    const segment = (await team.post("/audience-segments", { name: "Three", filter })).json.id;
    const { id } = await addReady(team, { audienceSegmentId: segment });
    await team.run("DELETE FROM properties WHERE name = 'seats'");
    const { problems } = await refused(id, { expected: 3 }, 400, "campaign_not_ready", "campaignId");
    expect(codes(problems)).toEqual([["unknown_property", "audienceSegmentId"]]);
    expect(problems[0].message).toContain(`The segment "${segment}" has a condition that cannot be checked.`);
    await team.run("DELETE FROM segments");
    const gone = await refused(id, { expected: 3 }, 400, "campaign_not_ready", "campaignId");
    expect(codes(gone.problems)).toEqual([["segment_not_found", "audienceSegmentId"]]);
  });

  it("is told what the guardian finds", async () => {
    const content = {
      subject: "A",
      fromName: "Acme",
      fromEmail: "news",
      lmx: "<Paragraph>Hello</Paragraph><Button>Open</Button>",
    };
    const { id } = await addReady(team, {}, content);
    const { problems } = await refused(id, { expected: 30 }, 400, "campaign_not_ready", "campaignId");
    expect(codes(problems)).toEqual([["mail_not_ready", expect.stringMatching(/^emailMessage\.lmx:1:\d+$/)]]);
    expect(problems[0].message).toMatch(/^The mail "A": lmx:/);
  });
});

describe("warnings", () => {
  const warnings = async (id: string) => codes((await act(team, id, "send", { dryRun: true })).json.warnings);

  it("tell what the author may have missed, and do not keep it from sending", async () => {
    await team.admin("POST", "", { postalAddress: null });
    await team.run("DELETE FROM contacts");
    const lmx = "<Paragraph>Hello {contact.firstName}</Paragraph>";
    const { id } = await addReady(team, {}, { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx });
    expect(await warnings(id)).toEqual([
      ["no_postal_address", null],
      ["no_recipients", null],
      ["whole_audience", null],
      ["variable_without_fallback", "emailMessage.contactPropertiesFallbacks"],
    ]);
    expect((await act(team, id, "send", { expected: 0 })).status).toBe(200);
  });

  it("tell of a campaign of the last day, and of one with the same content", async () => {
    const filter = { match: "all", conditions: [{ type: "property", key: "seats", operator: "equals", value: 3 }] };
    const first = await addReady(team, { audienceFilter: filter });
    await act(team, first.id, "send", { expected: 3 });
    const same = await addReady(team, { audienceFilter: filter });
    expect(await warnings(same.id)).toEqual([
      ["same_content", "emailMessage"],
      ["recent_campaign", null],
    ]);
    advance(25 * HOUR);
    expect(await warnings(same.id)).toEqual([["same_content", "emailMessage"]]);
    await team.run("UPDATE campaigns SET state = 'cancelled' WHERE id = ?", first.id);
    expect(await warnings(same.id)).toEqual([]);
    await team.run("UPDATE campaigns SET state = 'done' WHERE id = ?", first.id);
    advance(30 * 24 * HOUR);
    expect(await warnings(same.id)).toEqual([]);
  });

  it("tell what the guardian warns of", async () => {
    const lmx = '<Paragraph><Link href="http://localhost/">Sale</Link></Paragraph>';
    const { id } = await addReady(team, {}, { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx });
    expect(await warnings(id)).toContainEqual(["mail_warning", expect.stringMatching(/^emailMessage\.lmx/)]);
  });
});

it("a campaign that was sent or scheduled is locked, and themes and components do not reach it once it is sending", async () => {
  const scheduling = { method: "schedule", timestamp: Date.now() + HOUR };
  const { id, message } = await addReady(team, { scheduling });
  await act(team, id, "send", { expected: 30 });
  expect((await team.post(`/email-messages/${message}`, { subject: "B" })).json.code).toBe("email_message_locked");
  expect((await team.post(`/campaigns/${id}`, { mailingListId: null })).json.code).toBe("campaign_not_draft");
  expect(await stateOf(id)).toEqual({ status: "Scheduled", state: null, reason: null });
});
