import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { libraryOf } from "../../../../../src/email/workspace/content/library.ts";
import { sourceOf } from "../../../../../src/email/workspace/content/messages.ts";
import { migrations } from "../../../../../src/email/workspace/core/migrations.ts";
import { compileMessage } from "../../../../../src/lib/lmx/message/compile-message.ts";
import { admin, advance, bindings, dump, isolated, request, START } from "../../bench.ts";

isolated();

// States of a team by the code of each schema version: test/fixtures/make-workspace.ts. Every table has a row.
const files = import.meta.glob<string>("../../../../fixtures/email/workspace-v*.sql", {
  query: "?raw",
  import: "default",
});
const states = await Promise.all(
  Object.entries(files).map(async ([path, read]) => ({
    version: Number(/-v(\d+)\.sql$/.exec(path)?.[1]),
    sql: await read(),
  })),
);

const replaced: Record<string, { in: number; rows: string }> = {
  template_revisions: {
    in: 3,
    rows: "SELECT r.n, m.template, r.source, r.compiled, r.created_at FROM message_revisions r JOIN email_messages m ON m.n = r.message",
  },
};

const stub = () => bindings.WORKSPACE.getByName("fixture");
const inside = <T>(look: (sql: SqlStorage) => T) => runInDurableObject(stub(), (_, { storage: { sql } }) => look(sql));

type Rows = Record<string, Record<string, unknown>[]>;
const comparable = (rows: Record<string, unknown>[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value,
      ]),
    ),
  );
const rowsOf = (sql: SqlStorage): Rows => {
  const names = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray();
  return Object.fromEntries(names.map(({ name }) => [name, comparable(sql.exec(`SELECT * FROM ${name}`).toArray())]));
};

const open = async (sql: string): Promise<Rows> => {
  const before = await inside((storage) => {
    for (const statement of sql.split(/;\n(?=CREATE|INSERT|$)/).filter((one) => one.trim() !== ""))
      storage.exec(statement);
    storage.exec("UPDATE sends SET created_at = ?, due = ? WHERE due IS NOT NULL", START, START);
    return rowsOf(storage);
  });
  await evictDurableObject(stub());
  return before;
};

it("every schema version before the newest has a state, with a row in every table", () => {
  const versions = states.map(({ version }) => version).sort((a, b) => a - b);
  expect(versions).toEqual(expect.arrayContaining(migrations.slice(0, -1).map(({ version }) => version)));
  for (const { version, sql } of states) {
    const tables = [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
    const empty = tables.filter((table) => !sql.includes(`INSERT INTO ${table} `));
    expect([version, empty]).toEqual([version, []]);
  }
});

describe.each(states)("a state of version $version", ({ version, sql }) => {
  // The first file was written before it could contain its key.
  const key = /^-- (\S+)/.exec(sql)?.[1] ?? "ms_fixture_5i1qln0n93xafrsmj6xe8vtblwxjrmkd_25c41570c60df2eadf369a45";
  const ask = (method: string, path: string, body?: unknown) => {
    advance(1_100);
    return request(method, `/v1${path}`, { body, headers: { Authorization: `Bearer ${key}` } });
  };

  it("keeps every value of every row", async () => {
    const before = await open(sql);
    const after = await inside(rowsOf);
    for (const [table, rows] of Object.entries(before)) {
      // No operation has ever written a row of triggers. Version 14 drops the table.
      if (table === "migrations" || table === "triggers") continue;
      const moved = replaced[table];
      const found =
        moved && moved.in > version
          ? await inside((storage) => comparable(storage.exec(moved.rows).toArray()))
          : after[table];
      for (const row of rows)
        expect(found, `${table} ${JSON.stringify(row).slice(0, 100)}`).toContainEqual(expect.objectContaining(row));
    }
  });

  it("gets the schema of a new team", async () => {
    await open(sql);
    await admin("POST", "/admin/teams", { id: "fresh", name: "Fresh" });
    const schemaOf = (name: string) =>
      runInDurableObject(bindings.WORKSPACE.getByName(name), (_, { storage }) =>
        dump(storage.sql)
          .split("\n")
          .filter((line) => !line.startsWith("INSERT")),
      );
    expect(await schemaOf("fixture")).toEqual(await schemaOf("fresh"));
  });

  it("sends the mail that waits with the content that it was accepted with, byte for byte", async () => {
    await open(sql);
    const [waiting, shown] = await inside((storage) => [
      storage
        .exec<{ id: string; variables: string; compiled: string }>(
          "SELECT s.id, s.variables, r.compiled FROM sends s LEFT JOIN message_revisions r ON r.n = s.revision WHERE s.due IS NOT NULL",
        )
        .toArray(),
      storage.exec<{ id: string }>("SELECT id FROM themes").toArray(),
    ]);
    expect(waiting.length).toBeGreaterThan(0);
    vi.setSystemTime(START);
    for (const { id } of shown) {
      expect((await ask("POST", `/themes/${id}`, { styles: { textBaseColor: "#abc123" } })).status).toBe(200);
    }
    for (let run = 0; run < 3; run++) {
      advance(2_000);
      await runDurableObjectAlarm(stub());
    }
    const later = await inside((storage) =>
      storage
        .exec<{ compiled: string }>("SELECT r.compiled FROM templates t JOIN message_revisions r ON r.n = t.published")
        .toArray(),
    );
    expect(later.length).toBeGreaterThan(0);
    for (const { compiled } of later) expect(compiled).toContain("#abc123");
    for (const { id, compiled } of waiting) {
      const mail = await vi.waitFor(async () => {
        const { status, json } = await request("GET", `/inbox/${id}.json`);
        expect(status).toBe(200);
        return json as { html: string; text: string };
      });
      const parts = JSON.parse(compiled) as { html: unknown[]; text: unknown[] };
      for (const what of ["html", "text"] as const) {
        let at = 0;
        for (const part of parts[what].filter((one) => typeof one === "string")) {
          const found = mail[what].indexOf(part, at);
          expect(found, part).toBeGreaterThanOrEqual(at);
          at = found + part.length;
        }
        expect(mail[what]).not.toContain("#abc123");
      }
    }
  });

  it("has messages that can be read, edited and published, and that get a new look", async () => {
    await open(sql);
    const { data } = (await ask("GET", "/transactional-emails?status=all")).json;
    expect(data.length).toBeGreaterThan(0);
    for (const { id, publishedEmailMessageId } of data as { id: string; publishedEmailMessageId: string | null }[]) {
      if (publishedEmailMessageId) {
        expect((await ask("GET", `/email-messages/${publishedEmailMessageId}`)).json).toMatchObject({
          id: publishedEmailMessageId,
        });
      }
      const { draftEmailMessageId: draft } = (await ask("POST", `/transactional-emails/${id}/draft`)).json;
      const edited = await ask("POST", `/email-messages/${draft}`, { previewText: "After the migration" });
      expect(edited.status, edited.text).toBe(200);
      expect((await ask("POST", `/transactional-emails/${id}/publish`)).json).toMatchObject({
        publishedEmailMessageId: draft,
      });
    }
    for (const { id } of (await ask("GET", "/themes")).json.data as { id: string }[]) {
      await ask("POST", `/themes/${id}`, { styles: { textBaseColor: "#abc123" } });
    }
    for (let run = 0; run < 5; run++) {
      advance(2_000);
      await runDurableObjectAlarm(stub());
    }
    await inside((storage) => {
      const sent = storage
        .exec<{ source: string; compiled: string }>(
          "SELECT r.source, r.compiled FROM templates t JOIN message_revisions r ON r.n = t.published",
        )
        .toArray();
      expect(sent).toHaveLength(data.length);
      for (const { source, compiled } of sent) {
        const written = sourceOf({ source });
        const fresh = compileMessage(written, "transactional", libraryOf(storage, written.lmx)).compiled;
        expect(compiled).toBe(JSON.stringify(fresh));
        expect(compiled).toContain("#abc123");
      }
    });
  });
});

it("a workflow of version 16 is counted since the migration, also where its runs are deleted", async () => {
  const found = states.find(({ version }) => version === 16);
  await open(`${found?.sql}\nDELETE FROM runs;\n`);
  const { passed, workflows } = await inside((storage) => ({
    passed: storage.exec<{ workflow: number; since: number }>("SELECT workflow, since FROM workflow_passed").toArray(),
    workflows: storage.exec<{ n: number }>("SELECT n FROM workflows WHERE status <> 'Draft'").toArray(),
  }));
  expect(workflows.length).toBeGreaterThan(0);
  expect(passed.map(({ workflow }) => workflow)).toEqual(workflows.map(({ n }) => n));
  for (const { since } of passed) expect(since).toBeGreaterThan(1_767_225_600_000);
});

it("a workflow of version 14 counts the runs that have ended, and knows which events were received", async () => {
  const found = states.find(({ version }) => version === 14);
  await open(found?.sql ?? "");
  const counts = await inside((storage) =>
    storage.exec("SELECT kind, reason, count FROM workflow_counts ORDER BY kind, reason").toArray(),
  );
  expect(counts).toEqual([{ kind: "ended", reason: "completed", count: 1 }]);
  const events = await inside((storage) => storage.exec("SELECT name, received FROM event_patterns").toArray());
  expect(events).toContainEqual({ name: "signedUp", received: 1 });
});
