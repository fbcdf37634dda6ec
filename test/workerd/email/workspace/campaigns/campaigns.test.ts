import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, runAlarm, START, type Team } from "../../bench.ts";

isolated();

let team: Team;
let list: string;
let segment: string;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ createProperties: true });
  await team.post("/contacts/create", { email: "ada@example.com", plan: "pro" });
  list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
  segment = (await team.post("/audience-segments", { name: "Pro", filter: FILTER })).json.id;
});

const FILTER = { match: "all", conditions: [{ type: "property", key: "plan", operator: "equals", value: "pro" }] };
const SOON = new Date(START + 86_400_000).toISOString();

const create = async (fields: object = {}) => {
  const { status, json } = await team.post("/campaigns", { name: "Spring sale", ...fields });
  expect([status, json.code]).toEqual([201, undefined]);
  return json;
};
const change = (id: string, fields: object) => team.post(`/campaigns/${id}`, fields);
const setStatus = (id: string, status: string, state: string | null = null) =>
  team.run("UPDATE campaigns SET status = ?, state = ? WHERE id = ?", status, state, id);

describe("a new campaign", () => {
  it("is a draft for the whole audience, in the group Unsorted, with an empty message", async () => {
    const [unsorted] = (await team.get("/campaign-groups")).json.data;
    const created = await create({ name: "  Spring sale " });
    const { emailMessageContentRevisionId, ...shown } = created;
    expect(shown).toEqual({
      id: expect.stringMatching(/^cmp_[0-9a-z]{20}$/),
      url: `http://localhost/v1/campaigns/${shown.id}`,
      name: "Spring sale",
      status: "Draft",
      createdAt: expect.any(String),
      updatedAt: shown.createdAt,
      emailMessageId: expect.stringMatching(/^msg_/),
      campaignGroupId: unsorted.id,
      mailingListId: null,
      audienceSegmentId: null,
      audienceFilter: null,
      scheduling: { method: "now", timestamp: null },
    });
    expect((await team.get(`/campaigns/${shown.id}`)).json).toEqual(shown);
    expect((await team.get(`/email-messages/${shown.emailMessageId}`)).json).toMatchObject({
      id: shown.emailMessageId,
      campaignId: shown.id,
      subject: "",
      lmx: "",
      contentRevisionId: emailMessageContentRevisionId,
    });
  });

  it("keeps what the request gives, with its time in UTC", async () => {
    const group = (await team.post("/campaign-groups", { name: "Sales" })).json.id;
    const given = { campaignGroupId: group, mailingListId: list, audienceSegmentId: segment, audienceFilter: FILTER };
    const timestamp = SOON.replace("Z", "+00:00");
    const created = await create({ ...given, scheduling: { method: "schedule", timestamp } });
    expect(created).toMatchObject({ ...given, scheduling: { method: "schedule", timestamp: SOON } });
    expect((await team.get(`/campaigns/${created.id}`)).json).toMatchObject(given);
  });

  it("takes null for what is not given", async () => {
    const none = { mailingListId: null, audienceSegmentId: null, audienceFilter: null };
    const scheduling = { method: "now", timestamp: null };
    expect(await create({ ...none, name: "A", campaignGroupId: null, scheduling })).toMatchObject({
      ...none,
      scheduling,
    });
  });

  it("is made once for an idempotency key", async () => {
    const key = { "Idempotency-Key": "once" };
    expect((await team.post("/campaigns", { name: "A" }, key)).status).toBe(201);
    expect((await team.post("/campaigns", { name: "A" }, key)).json.code).toBe("idempotency_key_used");
    expect((await team.get("/campaigns")).json.pagination.totalResults).toBe(1);
    expect(await team.rows("SELECT 1 FROM email_messages")).toHaveLength(1);
  });

  it("sends nothing, also when it is scheduled and its time comes", async () => {
    const { id } = await create({ scheduling: { method: "schedule", timestamp: SOON } });
    advance(2 * 86_400_000);
    await runAlarm(team.stub);
    expect((await team.get(`/campaigns/${id}`)).json.status).toBe("Draft");
    expect(await team.rows("SELECT 1 FROM sends")).toEqual([]);
  });

  it("is listed, newest first, in pages that do not shift", async () => {
    for (let i = 0; i < 12; i++) {
      await create({ name: `C${i}` });
      advance(1_000);
    }
    const first = (await team.get("/campaigns?perPage=10")).json;
    expect(first.pagination).toMatchObject({ totalResults: 12, returnedResults: 10, totalPages: 2 });
    expect(first.data[0]).toEqual((await team.get(`/campaigns/${first.data[0].id}`)).json);
    await create({ name: "new" });
    const next = (await team.get(first.pagination.nextPage.replace("http://localhost/v1", ""))).json;
    expect(next.data.map(({ name }: { name: string }) => name)).toEqual(["C1", "C0"]);
  });
});

describe("a draft", () => {
  it("changes the given fields, and keeps the others", async () => {
    const group = (await team.post("/campaign-groups", { name: "Sales" })).json.id;
    let { emailMessageContentRevisionId: _, ...shown } = await create();
    const steps: object[] = [
      { name: "Summer sale" },
      { campaignGroupId: group },
      { mailingListId: list },
      { scheduling: { method: "schedule", timestamp: SOON } },
      { scheduling: { method: "now", timestamp: null } },
      { mailingListId: null },
    ];
    for (const step of steps) {
      const { status, json } = await change(shown.id, step);
      expect([status, json]).toEqual([200, { ...shown, ...step, updatedAt: expect.any(String) }]);
      expect(Date.parse(json.updatedAt)).toBeGreaterThan(Date.parse(shown.updatedAt));
      shown = json;
    }
  });

  it("has a segment, a filter, or both: one that is given alone replaces both, and null clears only itself", async () => {
    const { id } = await create();
    const other = { match: "any", conditions: FILTER.conditions };
    for (const [given, audienceSegmentId, audienceFilter] of [
      [{ audienceSegmentId: segment }, segment, null],
      [{ audienceFilter: FILTER }, null, FILTER],
      [{ audienceSegmentId: segment, audienceFilter: other }, segment, other],
      [{ audienceFilter: null }, segment, null],
      [{ audienceSegmentId: segment, audienceFilter: other }, segment, other],
      [{ audienceSegmentId: null }, null, other],
      [{ audienceFilter: FILTER, audienceSegmentId: null }, null, FILTER],
      [{ audienceSegmentId: null, audienceFilter: null }, null, null],
    ] as const) {
      const { json } = await change(id, given);
      expect(json, JSON.stringify(given)).toMatchObject({ audienceSegmentId, audienceFilter });
    }
  });

  it("has a message that takes edits, and contact properties in it", async () => {
    const { emailMessageId } = await create();
    const edit = { subject: "Hello {contact.firstName}", lmx: "<Paragraph>Plan: {contact.plan}</Paragraph>" };
    const { status, json } = await team.post(`/email-messages/${emailMessageId}`, edit);
    expect([status, json]).toMatchObject([200, edit]);
    expect(json.warnings ?? []).toEqual([]);
    const bad = await team.post(`/email-messages/${emailMessageId}`, { lmx: "<Paragraph>{data.x}</Paragraph>" });
    expect([bad.status, bad.json.code]).toEqual([422, "invalid_content"]);
  });
});

describe("a campaign that is no draft", () => {
  it.each(["Scheduled", "Sending", "Sent"])("changes its name and its group only: %s", async (status) => {
    const { id } = await create();
    const group = (await team.post("/campaign-groups", { name: "Sales" })).json.id;
    await setStatus(id, status);
    const { json } = await change(id, { name: "New", campaignGroupId: group });
    expect(json).toMatchObject({ name: "New", campaignGroupId: group, status });
  });

  it("shows how far its delivery is, with sums that close", async () => {
    const { id } = await create();
    await setStatus(id, "Sending", "sending");
    await team.run(
      "UPDATE campaigns SET recipients = 100, queued = 30, skipped = 4, started_at = ?",
      Date.now() - 29_900,
    );
    await team.run("UPDATE campaigns SET moving_since = ?, moved = 10", Date.now() - 24_900);
    await team.run(
      `INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, accepted, settled, not_sent,
         unknown, failed, refused) SELECT message, 51, 2, 0, 0, 0, 66, 56, 1, 2, 2, 1 FROM campaigns`,
    );
    const { status, delivery } = (await team.get(`/campaigns/${id}`)).json;
    const startedAt = new Date(Date.now() - 30_000).toISOString();
    expect([status, delivery]).toEqual([
      "Sending",
      {
        state: "sending",
        recipients: 100,
        queued: 40,
        sent: 50,
        skipped: 5,
        failed: 3,
        unknown: 2,
        cancelled: 0,
        startedAt,
        finishedAt: null,
        perSecond: 2,
        eta: new Date(Date.now() + 20_000).toISOString(),
      },
    ]);
    await team.run("UPDATE campaigns SET state = 'held', reason = 'late'");
    expect((await team.get("/campaigns")).json.data).toMatchObject([
      { status: "Sending", delivery: { state: "held", reason: "late", perSecond: null, eta: null } },
    ]);
  });

  it("has no delivery before it is sent", async () => {
    const { id } = await create();
    await setStatus(id, "Scheduled");
    expect((await team.get(`/campaigns/${id}`)).json).not.toHaveProperty("delivery");
  });

  it("keeps its content once it is sending, whatever becomes of the theme", async () => {
    const theme = (await team.post("/themes", { name: "Brand", styles: { textBaseColor: "#111111" } })).json.id;
    const lmx = `<Style themeId="${theme}" /><Paragraph>Hello</Paragraph>`;
    const { id, emailMessageId } = await create();
    await team.post(`/email-messages/${emailMessageId}`, { subject: "Sale", lmx });
    const color = async (value: string) => {
      const { json } = await team.post(`/themes/${theme}`, { styles: { textBaseColor: value } });
      advance(2_000);
      await runAlarm(team.stub);
      const [row] = await team.rows(
        "SELECT r.compiled FROM email_messages m JOIN message_revisions r ON r.n = m.revision ORDER BY m.n DESC LIMIT 1",
      );
      return [json.affectedEmailCount, String(row?.compiled).includes(value)];
    };
    expect(await color("#222222")).toEqual([1, true]);
    await setStatus(id, "Scheduled");
    expect(await color("#333333")).toEqual([1, true]);
    for (const status of ["Sending", "Sent"]) {
      await setStatus(id, status);
      expect(await color("#444444")).toEqual([0, false]);
    }
  });
});

describe("what a campaign names, and what names it", () => {
  it("a segment that a campaign still needs cannot be deleted", async () => {
    const { id } = await create({ audienceSegmentId: segment });
    for (const status of ["Draft", "Scheduled", "Sending"]) {
      await setStatus(id, status);
      const { status: code, json } = await team.admin("DELETE", `/audience-segments/${segment}`);
      expect([code, json.code, json.users]).toEqual([
        409,
        "segment_in_use",
        [{ kind: "campaign", id, name: "Spring sale" }],
      ]);
    }
    await setStatus(id, "Sent");
    expect((await team.admin("DELETE", `/audience-segments/${segment}`)).status).toBe(200);
    expect((await team.get(`/campaigns/${id}`)).json.audienceSegmentId).toBe(segment);
  });

  it("a filter can ask who opened a campaign, also the filter of another campaign", async () => {
    const { id } = await create();
    const activity = { type: "activity", action: "opened", negate: true, target: "campaign", id };
    const audienceFilter = { match: "all", conditions: [activity] };
    expect((await team.post("/audience-segments", { name: "Not opened", filter: audienceFilter })).status).toBe(200);
    expect(await create({ audienceFilter })).toMatchObject({ audienceFilter });
  });

  it("its place among recipients goes with a contact, and the sums still close", async () => {
    await create();
    const [ada] = await team.rows("SELECT n FROM contacts");
    await team.post("/contacts/create", { email: "bo@example.com" });
    await team.run("UPDATE campaigns SET recipients = 2, queued = 1, sent = 1, state = 'sending', status = 'Sending'");
    await team.run(
      "INSERT INTO recipients (campaign, contact, state) SELECT c.n, p.n, iif(p.n = ?, 'queued', 'sent') FROM campaigns c, contacts p",
      ada?.n as number,
    );
    await team.post("/contacts/delete", { email: "ada@example.com" });
    await team.post("/contacts/delete", { email: "bo@example.com" });
    expect(await team.rows("SELECT * FROM recipients")).toEqual([]);
    expect(await team.rows("SELECT recipients, queued, sent, skipped FROM campaigns")).toEqual([
      { recipients: 2, queued: 0, sent: 1, skipped: 1 },
    ]);
  });

  it("its place among recipients stays with a contact that is merged", async () => {
    await create();
    await team.put("/contacts/update", { userId: "u1" });
    const [ada, user] = await team.rows("SELECT n FROM contacts ORDER BY n");
    await team.run(
      "INSERT INTO recipients (campaign, contact, state) SELECT n, ?, 'skipped' FROM campaigns",
      user?.n as number,
    );
    await team.put("/contacts/update", { email: "ada@example.com", userId: "u1" });
    expect(await team.rows("SELECT contact, state FROM recipients")).toEqual([{ contact: ada?.n, state: "skipped" }]);
  });
});
