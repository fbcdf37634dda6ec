import { runInDurableObject } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Directory } from "../../../../src/email/objects/directory.ts";
import { Workspace } from "../../../../src/email/workspace/object.ts";
import { admin, advance, createTeam, isolated, START, type Team } from "../bench.ts";
import { arrangeDomain } from "../examples.ts";
import { directory, inDirectory, MINUTE, stuckMails, touch } from "./arrange.ts";

isolated();

const HOUR = 60 * MINUTE;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const HOOK = { ALERT_WEBHOOK_URL: "https://alerts.test/hook", ALERT_WEBHOOK_SECRET: SECRET };

type Notice = { type: string; data: Record<string, unknown> };
let posted: Notice[] = [];
let status = 204;

const variables = (values: Record<string, string>) =>
  runInDurableObject(directory(), (object: Directory) => {
    Object.assign((object as unknown as { env: object }).env, values);
  });

beforeEach(async () => {
  posted = [];
  status = 204;
  vi.spyOn(console, "log").mockImplementation(() => {});
  await variables(HOOK);
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
    "a queue without a result for a minute",
    "queue.stalled acme",
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
    expect(await minutes(20)).toEqual(["queue.stalled acme"]);
    await team.run("DELETE FROM sends");
    expect(await minutes(60)).toEqual(["queue.stalled.resolved acme"]);
    expect(logged()).toBe(2 * times);
  }
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
