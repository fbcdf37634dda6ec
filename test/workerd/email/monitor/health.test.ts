import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { createApp } from "../../../../src/email/http/app.ts";
import { createToken } from "../../../../src/email/mail/links/link-token.ts";
import { Mailer } from "../../../../src/email/objects/mailer.ts";
import { Workspace } from "../../../../src/email/workspace/object.ts";
import { admin, advance, appWith, bindings, createTeam, isolated, request, START } from "../bench.ts";
import { alarmOf, loseAlarm, MINUTE, stuckMails, touch } from "./arrange.ts";

isolated();

const reasonsOf = async (app = appWith()): Promise<string[]> => (await request("GET", "/health", {}, app)).json.reasons;
const STALLED = "a team has mail that could leave, and had no result of its class for a minute or longer";

it("says that the Directory does not answer", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const broken = { getByName: () => ({ health: () => Promise.reject(new Error("down")) }) };
  const { status, json } = await request("GET", "/health", {}, createApp({ ...bindings, DIRECTORY: broken } as never));
  expect([status, json.status]).toEqual([200, "degraded"]);
  expect(json.reasons).toContain("the list of teams (Directory) does not answer");
});

it("says for five minutes that a write failed, in every isolate", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam();
  const full = () => Promise.reject(new Error("database or disk is full: SQLITE_FULL"));
  vi.spyOn(Workspace.prototype, "run").mockImplementation(full);
  expect((await team.send("POST", "/contacts/create", { body: { email: "a@example.com" } })).status).toBeGreaterThan(
    499,
  );
  vi.restoreAllMocks();
  const reason = "writes fail: the storage refused one in the last five minutes";
  expect(await reasonsOf()).toContain(reason);
  advance(4 * MINUTE);
  expect(await reasonsOf()).toContain(reason);
  advance(2 * MINUTE);
  expect(await reasonsOf()).not.toContain(reason);
});

it.each([
  "Exceeded allowed rows written in Durable Objects free tier.",
  "Exceeded allowed rows read in Durable Objects free tier.",
  "Exceeded allowed duration in Durable Objects free tier.",
])("says so when the day of the Free plan is used up, for a request and for work without one: %s", async (message) => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam();
  vi.spyOn(Workspace.prototype, "run").mockRejectedValue(new Error(message));
  await team.send("POST", "/contacts/create", { body: { email: "a@example.com" } });
  expect((await reasonsOf()).join()).toContain("writes fail");
  advance(6 * MINUTE);
  expect((await reasonsOf()).join()).not.toContain("writes fail");
  vi.spyOn(Mailer.prototype, "exchange").mockRejectedValue(new Error(message));
  await stuckMails(team, 1, Date.now());
  await team.inside((_, storage) => storage.setAlarm(Date.now()));
  await runDurableObjectAlarm(team.stub);
  await vi.waitFor(async () => expect((await reasonsOf()).join()).toContain("writes fail"));
  await team.run("DELETE FROM sends");
  await evictDurableObject(team.stub);
});

it("says so too after an unsubscribe that could not be stored", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const target = { team: "acme", send: 1, row: 1, contact: "c1", address: "a" };
  const token = await createToken(bindings.API_KEY_SECRET, "unsubscribe", target);
  await createTeam();
  const full = () => Promise.reject(new Error("database or disk is full: SQLITE_FULL"));
  vi.spyOn(Workspace.prototype, "recipient").mockImplementation(full);
  expect((await request("POST", `/u/${token}`)).status).toBeGreaterThan(499);
  expect((await reasonsOf()).join()).toContain("writes fail");
});

it("an error that is none of storage does not make it degraded", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam();
  vi.spyOn(Workspace.prototype, "run").mockRejectedValue(new Error("x is not a function"));
  expect((await team.send("GET", "/lists")).status).toBe(500);
  expect((await reasonsOf()).join()).not.toContain("writes fail");
});

it("says that a queue is stalled, without the name of the team, and wakes no team for that", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam();
  const before = await reasonsOf();
  await stuckMails(team, 1, Date.now());
  advance(2 * MINUTE);
  await touch();
  const pulse = vi.spyOn(Workspace.prototype, "pulse");
  expect((await reasonsOf()).filter((reason) => !before.includes(reason))).toEqual([STALLED]);
  expect(pulse).not.toHaveBeenCalled();
  await team.run("DELETE FROM sends");
  await touch();
  expect(await reasonsOf()).toEqual(before);
});

it("a mail that waits for its retry, or for what is paused, is no stalled queue", async () => {
  const team = await createTeam();
  await stuckMails(team, 1, Date.now() + 10 * MINUTE);
  advance(5 * MINUTE);
  await touch();
  expect(await reasonsOf()).not.toContain(STALLED);
});

it.each([undefined, "Bearer wrong"])("?deep=1 needs the admin token (%s)", async (Authorization) => {
  const headers: Record<string, string> = Authorization === undefined ? {} : { Authorization };
  const { status, json } = await request("GET", "/health?deep=1", { headers });
  expect([status, json.success]).toEqual([401, false]);
  expect(json.deep).toBeUndefined();
});

it("?deep=1 wakes the team that was active last, tries a write there and sets a lost alarm again", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  expect((await admin("GET", "/health?deep=1")).json.deep).toMatchObject({
    team: null,
    directory: { schema: expect.any(Number) },
  });
  const first = await createTeam({ id: "first" });
  advance(2 * 60 * MINUTE);
  const team = await createTeam({ id: "second" });
  await stuckMails(team, 2, Date.now() + MINUTE);
  await stuckMails(first, 2, Date.now() + MINUTE);
  await touch();
  await loseAlarm(team);
  const { json, headers } = await admin("GET", "/health?deep=1");
  expect(json.deep.team).toMatchObject({
    id: "second",
    schema: expect.any(Number),
    bytes: expect.any(Number),
    limitBytes: 10_000_000_000,
    wasLost: true,
    alarm: expect.stringMatching(/^2090-/),
    open: [{ mailClass: "transactional", state: "queued", count: 2 }],
    queues: { transactional: { claims: 0, oldestDue: null, silentSince: null } },
  });
  expect(json.reasons).toContain("the alarm of the team was lost, and is set again");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(await alarmOf(team)).not.toBeNull();
  expect((await admin("GET", "/health?deep=1")).json.deep.team.wasLost).toBe(false);
});

it("?deep=1 names a team that cannot be woken, and claims without a result for over a minute", async () => {
  const team = await createTeam();
  await stuckMails(team, 1, Date.now() + 2 * MINUTE);
  await team.run("UPDATE sends SET state = 'sending', attempts = 1, mailer = 'acme:transactional:0'");
  vi.spyOn(Mailer.prototype, "exchange").mockImplementation(() => new Promise(() => {}));
  await evictDurableObject(team.stub);
  await admin("GET", "/health?deep=1");
  advance(90_000);
  const { json } = await admin("GET", "/health?deep=1");
  expect(json.reasons).toContain("open claims: 1 of transactional mail, and no result for 90 s");
  vi.spyOn(Workspace.prototype, "pulse").mockRejectedValue(new Error("This state cannot be opened"));
  const broken = (await admin("GET", "/health?deep=1")).json;
  expect(broken.status).toBe("degraded");
  expect(broken.reasons).toContain("the team acme does not answer, or cannot write: This state cannot be opened");
});

it("/admin/metrics has open mails by state, the oldest, results by sender, problems, size and schema", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam({ samples: true });
  await team.post("/transactional", { email: "a@example.com", transactionalId: "tpl_receipt", dataVariables: {} });
  await stuckMails(team, 3, Date.now());
  advance(2 * MINUTE);
  const { status, text, headers } = await admin("GET", "/admin/metrics");
  expect([status, headers.get("Content-Type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const lines = text.split("\n");
  const value = (name: string) =>
    Number(
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")
        .at(-1),
    );
  expect(value('mailspan_email_open_mails{team="acme",class="transactional",state="queued"}')).toBeGreaterThanOrEqual(
    3,
  );
  expect(value('mailspan_email_oldest_due_seconds{team="acme",class="transactional"}')).toBeGreaterThanOrEqual(120);
  expect(value('mailspan_email_problems{team="acme",kind="queue.stalled",subject="acme/transactional"}')).toBe(1);
  expect(value('mailspan_email_database_bytes{team="acme"}')).toBeGreaterThan(10_000);
  expect(value('mailspan_email_database_limit_bytes{team="acme"}')).toBe(10_000_000_000);
  expect(value('mailspan_email_schema_version{team="acme"}')).toBeGreaterThanOrEqual(100);
  expect([value("mailspan_email_active_teams"), value("mailspan_email_measured_teams")]).toEqual([1, 1]);
  expect(START).toBeLessThan(Date.now());
  for (const line of lines.filter((line) => line !== "" && !line.startsWith("#")))
    expect(line).toMatch(/^mailspan_email_\w+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+]+$/);
});
