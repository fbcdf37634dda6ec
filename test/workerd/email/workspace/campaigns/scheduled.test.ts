import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  await team.post("/contacts/properties", { name: "seats", type: "number" });
  await addContacts(team, 20);
});

const progressOf = async (id: string) => (await team.get(`/campaigns/${id}`)).json;
const statusOf = async (id: string) => {
  const { status, json } = await team.admin("GET", `/campaigns/${id}/status`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};
const waiting = async (id: string): Promise<string[]> =>
  (await statusOf(id)).waiting.map(({ code }: { code: string }) => code);
const inOneHour = () => ({ scheduling: { method: "schedule", timestamp: Date.now() + HOUR } });

const schedule = async (fields: object = {}): Promise<string> => {
  const { id } = await addReady(team, { ...inOneHour(), ...fields });
  const { json } = await act(team, id, "send", { expected: 20 });
  expect(json, JSON.stringify(json)).toMatchObject({ status: "Scheduled" });
  return id;
};
const run = async () => {
  for (let n = 0; n < 8; n++) {
    await runAlarm(team.stub);
    advance(1_500);
  }
};

describe("a scheduled campaign", () => {
  it("starts at its time, not before, and goes to all its recipients", async () => {
    const id = await schedule();
    advance(58 * MINUTE);
    await runAlarm(team.stub);
    expect((await progressOf(id)).status).toBe("Scheduled");
    expect(await waiting(id)).toEqual(["scheduled"]);
    advance(2 * MINUTE);
    await run();
    expect(await progressOf(id)).toMatchObject({
      status: "Sent",
      delivery: { state: "done", recipients: 20, sent: 20, queued: 0 },
    });
    expect(await waiting(id)).toEqual([]);
  });

  it("starts up to an hour late by itself", async () => {
    const id = await schedule();
    advance(HOUR + 59 * MINUTE);
    await run();
    expect(await progressOf(id)).toMatchObject({ status: "Sent", delivery: { state: "done", sent: 20 } });
  });

  it("is held when it is later than that, until a person resumes it", async () => {
    const id = await schedule();
    advance(2 * HOUR + MINUTE);
    await run();
    expect(await progressOf(id)).toMatchObject({
      status: "Sending",
      delivery: { state: "held", reason: "late", recipients: 0, sent: 0, startedAt: null },
    });
    const { waiting: why } = await statusOf(id);
    expect(why).toEqual([
      { code: "late", message: expect.stringMatching(/more than an hour after its time\. Resume it/) },
    ]);
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ status: "Sent", delivery: { state: "done", sent: 20 } });
  });

  it("counts its recipients at the start as at sending: those who would get it", async () => {
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.firstName', jsonb('\"Ada\"'))");
    const content = {
      subject: "A",
      fromName: "A",
      fromEmail: "news",
      lmx: "<Paragraph>{contact.firstName}</Paragraph>",
    };
    const { id } = await addReady(team, inOneHour(), content);
    await act(team, id, "send", { expected: 20 });
    await addContacts(team, 30, 100);
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', jsonb('false')) WHERE n > 40");
    advance(HOUR);
    await run();
    expect(await progressOf(id)).toMatchObject({
      status: "Sent",
      delivery: { state: "done", recipients: 50, sent: 20, skipped: 30 },
    });
  });

  it("is held where it names something that is gone, and resumed only when that is fixed", async () => {
    const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
    await team.run(
      "UPDATE contacts SET data = jsonb_set(data, '$.mailingLists', jsonb(?))",
      JSON.stringify({ [list]: true }),
    );
    const id = await schedule({ mailingListId: list });
    await team.admin("POST", `/lists/${list}`, { isArchived: true });
    advance(HOUR);
    await run();
    expect((await progressOf(id)).delivery).toMatchObject({ state: "held", reason: "not_ready" });
    expect(await waiting(id)).toEqual(["not_ready", "mailing_list_archived"]);
    const refused = await act(team, id, "resume");
    expect([refused.status, refused.json.code, refused.json.path]).toEqual([400, "campaign_not_ready", "campaignId"]);
    expect(refused.json.problems).toMatchObject([{ code: "mailing_list_archived", path: "mailingListId" }]);
    await team.admin("POST", `/lists/${list}`, { isArchived: false });
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ status: "Sent", delivery: { state: "done", sent: 20 } });
  });

  it("takes changes of its components until it starts, and none after that", async () => {
    const part = (await team.post("/components", { name: "Part", lmx: "<Paragraph>Old</Paragraph>" })).json;
    const lmx = `<Component componentId="${part.id}" />`;
    const { id } = await addReady(team, inOneHour(), { subject: "A", fromName: "Acme", fromEmail: "news", lmx });
    await act(team, id, "send", { expected: 20 });
    const revision = async () => (await team.rows("SELECT revision FROM email_messages WHERE campaign IS NOT NULL"))[0];
    const before = await revision();
    const change = (text: string) => team.post(`/components/${part.id}`, { lmx: `<Paragraph>${text}</Paragraph>` });
    expect((await change("New")).status).toBe(200);
    advance(HOUR);
    await run();
    const sent = await revision();
    expect(sent).not.toEqual(before);
    expect((await change("Later")).status).toBe(200);
    await run();
    expect(await revision()).toEqual(sent);
  });
});

describe("the status", () => {
  it("has the counts and what keeps the campaign waiting", async () => {
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', jsonb('false')) WHERE n <= 3");
    const { id } = await addReady(team);
    expect(await statusOf(id)).toEqual({
      id,
      name: "Spring sale",
      status: "Draft",
      scheduledFor: null,
      progress: null,
      inLedger: 0,
      waiting: [{ code: "draft", message: "It is a draft. It starts when it is sent or scheduled." }],
      confirmed: null,
      maxRecipients: null,
      unconfirmed: null,
      wave: null,
      retry: null,
    });
    await act(team, id, "send", { expected: 17 });
    await run();
    expect(await statusOf(id)).toMatchObject({
      status: "Sent",
      inLedger: 0,
      progress: { recipients: 20, sent: 17, skipped: 3, failed: 0 },
      waiting: [],
    });
  });

  it("says in words what waits for a person, a domain, a mail provider or a limit", async () => {
    const { id } = await addReady(team);
    const set = (state: string, reason: string | null = null) =>
      team.run(
        "UPDATE campaigns SET status = 'Sending', state = ?, reason = ?, max_contact = 20, snapshot_cursor = 20",
        state,
        reason,
      );
    for (const [state, reason, code] of [
      ["paused", null, "paused"],
      ["held", "bounce_rate", "bounce_rate"],
      ["held", "complaint_rate", "complaint_rate"],
    ] as const) {
      await set(state, reason);
      const { waiting: why } = await statusOf(id);
      expect(why).toEqual([{ code, message: expect.stringMatching(/^[A-Z].{20,}\.$/) }]);
    }
    await set("sending");
    expect(await waiting(id)).toEqual([]);
    await team.run(
      `INSERT INTO sends (id, class, revision, recipient, recipient_key, message_id, state, attempts, due, error, variables, created_at, preview, origin, run)
       SELECT 'snd_' || value, 'marketing', 1, 'a@b.c', 'a@b.c', '<1@x>', 'queued', 0, ?, 'the domain is new', '{}', 1, 0, ?, 0
       FROM json_each('[1,2,3]')`,
      Date.now() + HOUR,
      id,
    );
    const { waiting: why } = await statusOf(id);
    expect(why).toEqual([
      {
        code: "mails_wait",
        message: expect.stringMatching(/^3 of its mails wait, the first of them until 2090-.*Z: the domain is new\.$/),
      },
    ]);
  });

  it("knows no campaign of another team", async () => {
    const { id } = await addReady(await createTeam({ id: "other" }));
    const { status, json } = await team.admin("GET", `/campaigns/${id}/status`);
    expect([status, json.code, json.path]).toEqual([404, "campaign_not_found", "campaignId"]);
  });
});
