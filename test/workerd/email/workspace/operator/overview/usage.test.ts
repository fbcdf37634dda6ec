import { describe, expect, it } from "vitest";
import { mailsByDay } from "../../../../../../src/email/workspace/operator/overview/mails-by-day.ts";
import { DAY_MS, HOUR_MS, isoOf } from "../../../../../../src/lib/util/dates.ts";
import { admin, advance, arranged, createTeam, START, type Team } from "../../../bench.ts";
import { counted } from "../../counted.ts";

const team = arranged(() => createTeam({ samples: true }));

const usage = async () => {
  const { status, json, text } = await team().admin("GET", "/usage");
  expect(status, text).toBe(200);
  return json;
};
const dayOf = (at: number) => isoOf(at).slice(0, 10);
const TODAY = START - 12 * HOUR_MS;

const mails = (of: Team, at: number, count: number, mailClass = "transactional", preview = 0) =>
  of.run(
    `WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ? - 1)
     INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, settled_at, preview)
     SELECT (? + i) * 1000, 'snd_' || (? + i), ?, 1, 'a@example.com', 'a@example.com', 'm' || (? + i), 'sent', 1, NULL, NULL, ? + i, ? + i, ? FROM s`,
    count,
    at,
    at,
    mailClass,
    at,
    at,
    at,
    preview,
  );

describe("the usage of a team", () => {
  it("has its contacts, mails, previews and database", async () => {
    await team().put("/contacts/update", { email: "a@example.com" });
    await team().put("/contacts/update", { email: "b@example.com", subscribed: false });
    const [template] = (await team().get("/transactional")).json.data;
    const { publishedEmailMessageId: id } = (await team().get(`/transactional-emails/${template.id}`)).json;
    const variables = Object.fromEntries(template.dataVariables.map((name: string) => [name, "https://acme.example"]));
    const body = { emails: ["p@example.com"], dataVariables: variables };
    expect((await team().post(`/email-messages/${id}/preview`, body)).status).toBe(200);
    const found = await usage();
    expect(found).toEqual({
      contacts: { subscribed: 1, unsubscribed: 1, countedAt: isoOf(Date.now()) },
      timeZone: "UTC",
      mails: [],
      mailsSince: isoOf(TODAY - 29 * DAY_MS),
      previews: { limit: 100, left: 99 },
      database: { bytes: expect.any(Number), limitBytes: 10_000_000_000, state: "ok" },
      rows: { day: dayOf(TODAY), team: expect.any(Number), account: found.rows.team, limit: null, waiting: [] },
    });
    expect(found.rows.team).toBeGreaterThan(0);
    expect(found.database.bytes).toBeGreaterThan(100_000);
  });

  it("counts accepted mails by day and class, the newest day first", async () => {
    await mails(team(), START, 2);
    await mails(team(), START + 10, 3, "marketing");
    await mails(team(), START + 20, 1, "transactional", 1);
    await mails(team(), TODAY - 1, 2);
    await mails(team(), TODAY - 29 * DAY_MS, 4, "marketing");
    await mails(team(), TODAY - 29 * DAY_MS - 5, 5, "marketing");
    expect((await usage()).mails).toEqual([
      { day: dayOf(TODAY), transactional: 3, marketing: 3 },
      { day: dayOf(TODAY - 1), transactional: 1, marketing: 0 },
      { day: dayOf(TODAY - 29 * DAY_MS), transactional: 0, marketing: 4 },
    ]);
  });

  it("counts by the days of the team's time zone", async () => {
    expect((await team().admin("POST", "", { timeZone: "Pacific/Auckland" })).status).toBe(200);
    // START is noon in UTC, and past midnight in Auckland.
    await mails(team(), START, 1);
    await mails(team(), START - 2 * HOUR_MS, 2);
    const { timeZone, mails: found } = await usage();
    expect(timeZone).toBe("Pacific/Auckland");
    expect(found).toEqual([
      { day: dayOf(START + DAY_MS), transactional: 1, marketing: 0 },
      { day: dayOf(START), transactional: 2, marketing: 0 },
    ]);
  });

  it("shows a new mail at once, and a day that has ended is read once", async () => {
    await mails(team(), START, 1);
    await mails(team(), TODAY - HOUR_MS, 25_000);
    expect((await usage()).mails[0]).toEqual({ day: dayOf(TODAY), transactional: 1, marketing: 0 });
    await mails(team(), START + 10, 1);
    expect((await usage()).mails[0]).toMatchObject({ transactional: 2 });
    await team().inside(async (real) => {
      const { sql, take } = counted(real);
      await mailsByDay({ sql, now: START + HOUR_MS });
      const { read, written } = take();
      expect([read < 100, written]).toEqual([true, 0]);
    });
    advance(DAY_MS);
    expect((await usage()).mails.slice(0, 2)).toMatchObject([{ transactional: 2 }, { transactional: 25_000 }]);
  });

  it("is counted a bounded number of mails at a time, and a later request goes on", async () => {
    for (const days of [1, 2, 3]) await mails(team(), TODAY - days * DAY_MS + HOUR_MS, 100);
    await team().inside(async (sql) => {
      const clock = { sql, now: START };
      const first = await mailsByDay(clock, 150);
      expect([first.days.length, first.since]).toEqual([2, TODAY - 2 * DAY_MS]);
      const second = await mailsByDay(clock, 150);
      expect([second.days.length, second.since]).toEqual([3, TODAY - 29 * DAY_MS]);
    });
  });

  it("is refused for a team that does not exist", async () => {
    expect(await admin("GET", "/admin/teams/nobody/usage")).toMatchObject({ status: 404, json: { code: "not_found" } });
  });
});
