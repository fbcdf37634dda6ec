import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Mailer } from "../../../../src/email/objects/mailer.ts";
import { Workspace } from "../../../../src/email/workspace/object.ts";
import { setVariables } from "../../variables.ts";
import { admin, advance, createTeam, isolated, MANUAL, START, type Team } from "../bench.ts";
import { arrangeDomain } from "../examples.ts";
import { inDirectory, MINUTE, stuckMails, touch } from "./arrange.ts";

isolated();

const HOUR = 60 * MINUTE;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const HOOK = { ALERT_WEBHOOK_URL: "https://alerts.test/hook", ALERT_WEBHOOK_SECRET: SECRET };

type Notice = { type: string; data: Record<string, unknown> };
let posted: Notice[] = [];
let status = 204;

beforeEach(() => {
  posted = [];
  status = 204;
  vi.spyOn(console, "log").mockImplementation(() => {});
  setVariables(HOOK);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    expect(String(url)).toBe(HOOK.ALERT_WEBHOOK_URL);
    const notice = new Webhook(SECRET).verify(String(init?.body), init?.headers as Record<string, string>);
    if (status < 300) posted.push(notice as Notice);
    return new Response(null, { status });
  });
});

/** Touches once a minute, and returns the notices. */
const minutes = async (count: number) => {
  for (let minute = 0; minute < count; minute++) {
    advance(MINUTE);
    await touch();
  }
  await vi.waitFor(async () => expect((await admin("GET", "/admin/alerts")).json.pending).toBe(0));
  return posted.splice(0).map(({ type, data: { subject } }) => `${type} ${subject}`);
};

const unknownMail = (team: Team, id: string) =>
  team.run(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, created_at, preview)
     VALUES (?, ?, 'transactional', 1, 'a@example.com', 'a@example.com', ?, 'unknown', 1, NULL, ?, 0)`,
    Date.now() * 1_000,
    id,
    `<${id}@a>`,
    Date.now(),
  );

const cases: [string, string, (team: Team) => Promise<unknown>, (team: Team) => Promise<unknown>][] = [
  [
    "a campaign that is held",
    "campaign.held acme/cmp_1",
    async (team) => {
      await team.post("/campaigns", { name: "Sale" });
      await team.run("UPDATE campaigns SET id = 'cmp_1', status = 'Sending', state = 'held', reason = 'bounce_rate'");
    },
    (team) => team.run("UPDATE campaigns SET state = 'paused'"),
  ],
  [
    "a wave that waits for a decision",
    "bounces.wave acme/wav_5",
    (team) =>
      team.run("INSERT INTO waves (n, destination, cause, at) VALUES (5, 'gd.example', '550 unknown', ?)", Date.now()),
    (team) => team.run("UPDATE waves SET decision = 'keep'"),
  ],
  [
    "a queue without a result for a minute",
    "queue.stalled acme/transactional",
    (team) => stuckMails(team, 3, Date.now()),
    (team) => team.run("DELETE FROM sends"),
  ],
  [
    "a mail whose result is unknown",
    "mails.unknown acme",
    (team) => unknownMail(team, "snd_1"),
    (team) => team.run("UPDATE sends SET state = 'sent'"),
  ],
  [
    "a sending domain that has lost its records",
    "domain.broken acme/dom_1",
    async (team) => {
      await arrangeDomain(team, "dom_1");
      await team.run("UPDATE domains SET state = 'failing', next_check = NULL");
    },
    (team) => team.run("UPDATE domains SET state = 'verified'"),
  ],
];

describe.each(cases)("%s", (_, alert, begin, end) => {
  it("raises one alert, and one when it is over", async () => {
    const team = await createTeam();
    expect(await minutes(3)).toEqual([]);
    await begin(team);
    expect(await minutes(30)).toEqual([alert]);
    const { data } = (await admin("GET", "/admin/alerts")).json;
    expect(data).toMatchObject([{ kind: alert.split(" ")[0], since: expect.any(String), message: expect.any(String) }]);
    await end(team);
    expect(await minutes(30)).toEqual([alert.replace(" ", ".resolved ")]);
    expect((await admin("GET", "/admin/alerts")).json.data).toMatchObject([{ since: null, message: "" }]);
  });

  it("costs the Directory no row while it lasts", async () => {
    const team = await createTeam();
    await begin(team);
    await minutes(3);
    const changes = () => inDirectory((sql) => sql.exec<{ n: number }>("SELECT total_changes() AS n").one().n);
    const before = await changes();
    await minutes(10);
    expect(await changes()).toBe(before);
  });
});

it("an alert that begins again an hour after its end is posted and logged again, as long as it takes", async () => {
  const team = await createTeam();
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  const logged = () => printed.mock.calls.filter(([line]) => String(line).includes('"alert":')).length;
  for (const times of [1, 2, 3]) {
    await stuckMails(team, 1, Date.now());
    expect(await minutes(20)).toEqual(["queue.stalled acme/transactional"]);
    await team.run("DELETE FROM sends");
    expect(await minutes(60)).toEqual(["queue.stalled.resolved acme/transactional"]);
    expect(logged()).toBe(2 * times);
  }
});

const sending = (team: Team, mailClass: string, mailer: string) =>
  team.run(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, created_at, preview, mailer)
     VALUES (?1 * 1000, 'snd_x', ?2, 1, 'a@example.com', 'a@example.com', '<x@a>', 'sending', 1, ?1, ?1, 0, ?3)`,
    Date.now(),
    mailClass,
    mailer,
  );

it("marketing mail without a result is stalled while sign-in mail leaves, and its campaign says so", async () => {
  const team = await createTeam({ samples: true });
  const { id } = (await team.post("/campaigns", { name: "Sale" })).json;
  await team.run("UPDATE campaigns SET status = 'Sending', state = 'sending'");
  const waiting = async () => (await team.admin("GET", `/campaigns/${id}/status`)).json.waiting;
  const { exchange } = Mailer.prototype;
  vi.spyOn(Mailer.prototype, "exchange").mockImplementation(function (this: Mailer, name, order) {
    return name.includes(":marketing:") ? new Promise(() => {}) : exchange.call(this, name, order);
  });
  await sending(team, "marketing", "acme:marketing:0");
  await evictDurableObject(team.stub);
  const silent = { code: "no_result", message: expect.stringContaining("no result of marketing mail for") };
  expect(await waiting()).not.toContainEqual(silent);
  for (let minute = 0; minute < 3; minute++) {
    advance(MINUTE);
    const mail = { email: "a@example.com", transactionalId: "tpl_welcome", dataVariables: { name: "A" } };
    expect((await team.post("/transactional", mail)).status).toBe(200);
    await vi.waitFor(async () =>
      expect((await team.rows("SELECT 1 FROM sends WHERE state = 'sent'")).length).toBe(minute + 1),
    );
    await touch();
  }
  expect(await minutes(0)).toEqual(["queue.stalled acme/marketing"]);
  expect(await waiting()).toContainEqual(silent);
});

it("a mail that becomes unknown a day after it was accepted is an alert for a day", async () => {
  const team = await createTeam();
  await sending(team, "transactional", MANUAL);
  advance(24 * HOUR);
  await team.get("/lists");
  await team.inside((_, storage) => storage.setAlarm(Date.now()));
  await runDurableObjectAlarm(team.stub);
  expect(await team.rows("SELECT state FROM sends")).toEqual([{ state: "unknown" }]);
  expect(await minutes(2)).toContain("mails.unknown acme");
  advance(23 * HOUR);
  expect(await minutes(2)).not.toContain("mails.unknown.resolved acme");
  advance(HOUR);
  expect(await minutes(2)).toContain("mails.unknown.resolved acme");
});

it("a held campaign stays an alert while many others are held", async () => {
  const team = await createTeam();
  const hold = () => team.run("UPDATE campaigns SET status = 'Sending', state = 'held', reason = 'bounce_rate'");
  const { id } = (await team.post("/campaigns", { name: "First" })).json;
  await hold();
  expect(await minutes(2)).toEqual([`campaign.held acme/${id}`]);
  for (let n = 0; n < 24; n++) await team.post("/campaigns", { name: `Sale ${n}` });
  await hold();
  const raised = await minutes(12);
  expect(raised.filter((notice) => notice.startsWith("campaign.held acme/"))).toHaveLength(24);
  expect(raised).toHaveLength(24);
  await team.run("UPDATE campaigns SET state = 'paused' WHERE id = ?", id);
  expect(await minutes(2)).toEqual([`campaign.held.resolved acme/${id}`]);
});

it("names no person: subject and data have ids, and the message of a held campaign its name", async () => {
  const team = await createTeam();
  await unknownMail(team, "snd_1");
  await team.post("/campaigns", { name: "Sale" });
  await team.run("UPDATE campaigns SET status = 'Sending', state = 'held', reason = 'bounce_rate'");
  advance(MINUTE);
  await touch();
  await vi.waitFor(() => expect(posted).toHaveLength(2));
  expect(JSON.stringify(posted)).not.toContain("example.com");
  expect(posted[0]?.data).toMatchObject({ status: "firing", team: "acme" });
});

it("a team that does not answer twice in a row is an alert, until it answers; its other alerts stay", async () => {
  const team = await createTeam();
  await unknownMail(team, "snd_1");
  expect(await minutes(1)).toEqual(["mails.unknown acme"]);
  const broken = vi.spyOn(Workspace.prototype, "pulse").mockRejectedValue(new Error("overloaded"));
  expect(await minutes(1)).toEqual([]);
  expect(await minutes(3)).toEqual(["team.failing acme"]);
  broken.mockRestore();
  expect(await minutes(3)).toEqual(["team.failing.resolved acme"]);
});

it("goes on to a team without activity while it has an alert, and ends it", async () => {
  const team = await createTeam();
  await unknownMail(team, "snd_1");
  expect(await minutes(1)).toEqual(["mails.unknown acme"]);
  vi.setSystemTime(START + 26 * HOUR);
  expect(await minutes(2)).toEqual(["mails.unknown.resolved acme"]);
});

it("a notice that is not accepted is posted again, and GET /health says so after three attempts", async () => {
  const team = await createTeam();
  await unknownMail(team, "snd_1");
  status = 500;
  for (let minute = 0; minute < 5; minute++) {
    advance(MINUTE);
    await touch();
    await vi.waitFor(async () => expect((await admin("GET", "/admin/alerts")).json.pending).toBe(1));
  }
  const reason = "alerts: ALERT_WEBHOOK_URL does not accept the alerts.";
  await vi.waitFor(async () => expect((await admin("GET", "/health")).json.reasons).toContain(reason));
  status = 204;
  expect(await minutes(3)).toEqual(["mails.unknown acme"]);
  expect((await admin("GET", "/health")).json.reasons).not.toContain(reason);
});
