import { describe, expect, it } from "vitest";
import { sendsByHour } from "../../../../../../src/email/workspace/operator/overview/sends-by-hour.ts";
import { DAY_MS, HOUR_MS, isoOf } from "../../../../../../src/lib/util/dates.ts";
import { admin, advance, appWith, arranged, bindings, createTeam, request, START, type Team } from "../../../bench.ts";
import { arrangeDomain } from "../../../examples.ts";
import { counted } from "../../counted.ts";

const team = arranged(() => createTeam({ samples: true }));

const overview = async (query = "") => {
  const { status, json, text } = await team().admin("GET", `/overview${query}`);
  expect(status, text).toBe(200);
  return json;
};
const attention = async () => (await overview()).attention;

const mails = (of: Team, at: number, count: number, state: string, preview = 0) =>
  of.run(
    `WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ? - 1)
     INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, settled_at, preview)
     SELECT (? + i) * 1000, 'snd_' || (? + i) || ?, 'transactional', 1, 'a@example.com', 'a@example.com', 'm' || (? + i), ?, 1, NULL, NULL, ? + i, ? + i, ? FROM s`,
    count,
    at,
    at,
    state,
    at,
    state,
    at,
    at,
    preview,
  );

describe("the mails of an overview", () => {
  it("are counted by hour and state", async () => {
    await mails(team(), START - 3 * HOUR_MS, 3, "sent");
    await mails(team(), START - 3 * HOUR_MS + 10, 2, "bounced");
    await mails(team(), START - 2, 2, "sent");
    await mails(team(), START, 1, "queued");
    await mails(team(), START + 1, 1, "sent", 1);
    await mails(team(), START - 30 * HOUR_MS, 5, "sent");
    const hour = (hours: number) => isoOf(START - hours * HOUR_MS);
    const { sends, countedSince, running } = await overview();
    expect(sends).toHaveLength(4);
    expect(sends).toEqual(
      expect.arrayContaining([
        { hour: hour(0), state: "queued", count: 1 },
        { hour: hour(1), state: "sent", count: 2 },
        { hour: hour(3), state: "sent", count: 3 },
        { hour: hour(3), state: "bounced", count: 2 },
      ]),
    );
    expect([countedSince, running]).toEqual([hour(24), { campaigns: 0, workflows: 0 }]);
    const older = await overview(`?since=${START - 31 * HOUR_MS}`);
    expect(older.sends).toContainEqual({ hour: hour(30), state: "sent", count: 5 });
    expect(older.countedSince).toBe(hour(31));
  });

  it("are counted with each request while their hour goes on, and those of earlier hours when the count is an hour old", async () => {
    const count = async (state: string) => {
      const { sends } = await overview();
      return sends.filter((one: { state: string }) => one.state === state).map((one: { count: number }) => one.count);
    };
    await mails(team(), START, 1, "sent");
    await mails(team(), START - 5 * HOUR_MS, 1, "failed");
    expect([await count("sent"), await count("failed")]).toEqual([[1], [1]]);
    await mails(team(), START + 10, 1, "sent");
    await mails(team(), START - 5 * HOUR_MS + 10, 1, "failed");
    expect([await count("sent"), await count("failed")]).toEqual([[2], [1]]);
    advance(HOUR_MS);
    expect([await count("sent"), await count("failed")]).toEqual([[2], [2]]);
  });

  it("are read once: a second request reads the kept counts only", async () => {
    await mails(team(), START, 25_000, "sent");
    await team().inside(async (real) => {
      const { sql, take } = counted(real);
      const first = await sendsByHour({ sql, now: START + 60_000 }, START - DAY_MS);
      expect(first.hours[0]).toEqual([START, { sent: 25_000 }]);
      expect(take()).toEqual({ read: expect.any(Number), written: 1 });
      await sendsByHour({ sql, now: START + 61_000 }, START - DAY_MS);
      expect(take()).toEqual({ read: 1, written: 0 });
    });
  });

  it("are counted a bounded number at a time, and a later request goes on", async () => {
    for (const hours of [1, 2, 3]) await mails(team(), START - hours * HOUR_MS + 120_000, 100, "sent");
    await team().inside(async (sql) => {
      const of = { sql, now: START + 120_000 };
      const since = START - 3 * HOUR_MS;
      const first = await sendsByHour(of, since, 100);
      expect(first.countedSince).toBe(START - HOUR_MS);
      expect(first.hours.map(([, states]) => states)).toEqual([{}, { sent: 100 }]);
      const second = await sendsByHour(of, since, 150);
      expect(second.countedSince).toBe(since);
      expect(second.hours.map(([, states]) => states)).toEqual([{}, { sent: 100 }, { sent: 100 }, { sent: 100 }]);
    });
  });
});

describe("what needs a person", () => {
  it("is nothing in a team whose mail goes to the local inbox", async () => {
    expect(await attention()).toEqual([]);
  });

  it("is a held campaign, with the reason", async () => {
    const { json } = await team().post("/campaigns", { name: "Spring sale" });
    await team().run(
      "UPDATE campaigns SET status = 'Sending', state = 'held', reason = 'bounce_rate', max_contact = 0 WHERE id = ?",
      json.id,
    );
    const [one, ...others] = (await attention()).filter(({ kind }: { kind: string }) => kind === "campaign_held");
    expect([one.kind, one.ids, others]).toEqual(["campaign_held", { campaign: json.id }, []]);
    expect(one.text).toMatch(/^The campaign "Spring sale" is held\. Too many of its mails have bounced\./);
    expect((await overview()).running).toEqual({ campaigns: 1, workflows: 0 });
  });

  it("is a mail whose result is unknown, for 24 hours", async () => {
    await mails(team(), START, 2, "unknown");
    await mails(team(), START - 25 * HOUR_MS, 4, "unknown");
    expect(await attention()).toEqual([
      {
        kind: "unknown_mails",
        text: expect.stringMatching(/^The result of 2 mails became unknown in the last 24 hours/),
        ids: {},
      },
    ]);
    await mails(team(), START + 100, 1_200, "unknown");
    expect((await attention())[0].text).toContain("1000 or more mails");
    advance(DAY_MS);
    expect(await attention()).toEqual([]);
  });

  it("is a sending domain without its records", async () => {
    await arrangeDomain(team(), "dom_1");
    const ids = { domain: "dom_1" };
    expect(await attention()).toMatchObject([{ kind: "domain_pending", ids }]);
    for (const state of ["warning", "failing"]) {
      await team().run("UPDATE domains SET state = ?", state);
      expect(await attention()).toMatchObject([{ kind: "domain_broken", ids }]);
    }
    await team().run("UPDATE domains SET state = 'verified'");
    expect(await attention()).toEqual([]);
  });

  it("is a webhook that the product disabled", async () => {
    const { json } = await team().admin("POST", "/webhooks", { url: "https://app.example.com/w", events: [] });
    const disabled = (reason: string) => team().run("UPDATE webhook_endpoints SET disabled_reason = ?", reason);
    await disabled("manual");
    expect(await attention()).toEqual([]);
    for (const reason of ["gone", "failing"]) {
      await disabled(reason);
      expect(await attention()).toMatchObject([{ kind: "webhook_disabled", ids: { webhook: json.id } }]);
    }
  });

  it("is a missing sender", async () => {
    const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
    const without = appWith({ INBOX: undefined });
    const { json } = await request("GET", "/admin/teams/acme/overview", { headers }, without);
    const text = "No transactional mail leaves this service: no sender is configured.";
    expect(json.attention[0]).toEqual({ kind: "sender_not_ready", text, ids: {} });
  });
});

describe("a request for the overview", () => {
  it("is refused for a time that is not in the last 7 days", async () => {
    for (const since of [Date.now() - 8 * DAY_MS, Date.now() + 1, "x"]) {
      const { status, json } = await team().admin("GET", `/overview?since=${since}`);
      expect([status, json.code, json.path]).toEqual([400, "invalid_request", "since"]);
    }
  });

  it("is 404 for a team that does not exist", async () => {
    const { status, json } = await admin("GET", "/admin/teams/ghost/overview");
    expect([status, json.code, json.path]).toEqual([404, "not_found", "team"]);
  });
});
