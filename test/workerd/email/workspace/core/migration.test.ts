import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { migrations } from "../../../../../src/email/workspace/core/migrations.ts";
import { Workspace } from "../../../../../src/email/workspace/object.ts";
import { migrate } from "../../../../../src/lib/util/migrate.ts";
// State of a team in schema version 1, written by `dump` of bench.ts: every table has a row.
import version1 from "../../../../fixtures/email/workspace-v1.sql?raw";
import { advance, bindings, dump, isolated, request, START } from "../../bench.ts";

isolated();

const KEY = "ms_fixture_5i1qln0n93xafrsmj6xe8vtblwxjrmkd_25c41570c60df2eadf369a45";
const stub = () => bindings.WORKSPACE.getByName("fixture");
const statements = version1.split(/;\n/).filter((statement) => statement.trim() !== "");

const load = () =>
  runInDurableObject(stub(), (_, state) => {
    for (const statement of statements) state.storage.sql.exec(statement);
  });

const ask = (method: string, path: string, body?: unknown, headers = {}) => {
  advance(200);
  return request(method, `/v1${path}`, { body, headers: { Authorization: `Bearer ${KEY}`, ...headers } });
};

describe("a state written by schema version 1", () => {
  beforeEach(async () => {
    await load();
    await evictDurableObject(stub());
  });

  it("opens and works", async () => {
    advance(1_000);
    expect((await ask("GET", "/api-key")).json).toEqual({ success: true, teamName: "Fixture Inc." });
    expect((await ask("GET", "/contacts/find?email=ada@example.com")).json).toMatchObject([
      {
        userId: "u1",
        firstName: "Ada",
        plan: "pro",
        renewsAt: "2091-01-31T00:00:00.000Z",
        mailingLists: { lst_news: true },
      },
    ]);
    const event = { userId: "u1", eventName: "signedUp" };
    expect((await ask("POST", "/events/send", event, { "Idempotency-Key": "event-1" })).status).toBe(409);
    expect((await ask("POST", "/events/send", event, { "Idempotency-Key": "event-2" })).status).toBe(200);
    expect((await ask("GET", "/transactional")).json.data).toMatchObject([
      { id: "tpl_hello", dataVariables: ["name"] },
    ]);
    expect((await ask("PUT", "/contacts/update", { userId: "u1", seats: null, color: "red" })).status).toBe(200);
  });

  it("gets the additions of version 2: ids of keys and messages, lists that can be archived", async () => {
    const admin = (method: string, path: string, body?: unknown) =>
      request(method, `/admin${path}`, { body, headers: { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` } });
    const { data } = (await admin("GET", "/teams/fixture/keys")).json;
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(data.length);
    for (const key of data) expect(key).toMatchObject({ id: expect.stringMatching(/^key_\w{20}$/), prefix: null });
    expect((await admin("GET", "/teams")).json.data[0]).toMatchObject({ id: "fixture", name: "Fixture Inc." });

    const [email] = (await ask("GET", "/transactional-emails?status=all")).json.data;
    expect(email).toMatchObject({ id: "tpl_hello", draftEmailMessageId: null, dataVariables: ["name"] });
    expect(email.publishedEmailMessageId).toMatch(/^msg_\w{20}$/);
    expect((await ask("GET", "/lists")).json).toMatchObject([{ id: "lst_news", isArchived: false }]);
    await admin("POST", "/teams/fixture/lists/lst_news", { isArchived: true });
    expect((await ask("GET", "/lists")).json).toMatchObject([{ id: "lst_news", isArchived: true }]);

    const [open] = data.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null);
    expect((await admin("DELETE", `/teams/fixture/keys/${open.id}`)).status).toBe(200);
    expect((await ask("GET", "/api-key")).status).toBe(401);
  });

  it("gets the additions of version 3: its template has a message that can be read, copied and published", async () => {
    const before = await runInDurableObject(stub(), (_, { storage: { sql } }) =>
      sql.exec("SELECT n, source, compiled, created_at FROM message_revisions ORDER BY n").toArray(),
    );
    const old = [...version1.matchAll(/^INSERT INTO template_revisions VALUES \((\d+),/gm)].map(([, n]) => Number(n));
    expect(before.map(({ n }) => n)).toEqual(old);
    const [email] = (await ask("GET", "/transactional-emails")).json.data;
    const message = (await ask("GET", `/email-messages/${email.publishedEmailMessageId}`)).json;
    const written = JSON.parse(String(before.at(-1)?.source));
    expect(message).toMatchObject({ transactionalId: "tpl_hello", subject: written.subject, lmx: written.lmx });
    const draft = (await ask("POST", "/transactional-emails/tpl_hello/draft")).json;
    expect((await ask("GET", `/email-messages/${draft.draftEmailMessageId}`)).json).toMatchObject({ lmx: written.lmx });
    expect((await ask("POST", "/transactional-emails/tpl_hello/publish")).json.publishedEmailMessageId).toBe(
      draft.draftEmailMessageId,
    );
    expect(
      await runInDurableObject(stub(), (_, { storage: { sql } }) =>
        sql
          .exec("SELECT n, source, compiled, created_at FROM message_revisions ORDER BY n")
          .toArray()
          .slice(0, old.length),
      ),
    ).toEqual(before);
  });

  it("sends the mail that was waiting", async () => {
    vi.setSystemTime(START + 3_600_000);
    expect((await ask("GET", "/api-key")).status).toBe(200);
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    const mails = () =>
      vi.waitFor(async () => {
        const { json } = await request("GET", "/inbox.json");
        expect(json.mails).toHaveLength(1);
        return json.mails;
      });
    expect(await mails()).toMatchObject([
      { to: "bo@example.com", subject: "Hello Ada", id: "snd_53ks20s9a2ufdttirdq4" },
    ]);
  });

  it("gets the schema of a new team, and is migrated once", async () => {
    await runInDurableObject(stub(), (_, state) => {
      expect(migrate(state.storage, migrations)).toEqual([]);
    });
    await request("POST", "/admin/teams", {
      headers: { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` },
      body: { id: "fresh", name: "Fresh" },
    });
    const schemaOf = (text: string) => text.split("\n").filter((line) => !line.startsWith("INSERT"));
    const [old, fresh] = await Promise.all(
      ["fixture", "fresh"].map((name) =>
        runInDurableObject(bindings.WORKSPACE.getByName(name), (_, state) => dump(state.storage.sql)),
      ),
    );
    expect(schemaOf(old ?? "")).toEqual(schemaOf(fresh ?? ""));
  });

  it("is never opened by older code", async () => {
    await runInDurableObject(stub(), (_, state) => {
      state.storage.sql.exec("INSERT INTO migrations VALUES (1000)");
      const before = dump(state.storage.sql);
      expect(() => new Workspace(state, bindings as never)).toThrow(/schema version 1000/);
      expect(dump(state.storage.sql)).toBe(before);
    });
  });
});

it("a failing migration changes nothing", async () => {
  await load();
  await runInDurableObject(stub(), (_, state) => {
    const before = dump(state.storage.sql);
    const broken = [
      ...migrations,
      { version: 1000, statements: ["CREATE TABLE half (x INTEGER)", "DELETE FROM contacts", "SELECT nonsense"] },
    ];
    expect(() => migrate(state.storage, broken)).toThrow(/nonsense/);
    expect(dump(state.storage.sql)).toBe(before);
  });
});

it("the state of version 1 has a row in every table", () => {
  for (const [, table] of version1.matchAll(/CREATE TABLE (\w+)/g)) expect(version1).toContain(`INSERT INTO ${table} `);
});

it("migration 1 still gives version 1: released migrations are never edited", async () => {
  const created = version1
    .split(/;\n/)
    .filter((statement) => /^CREATE/.test(statement) && !/TABLE migrations/.test(statement));
  expect(created.toSorted()).toEqual(migrations[0]?.statements.toSorted());
});
