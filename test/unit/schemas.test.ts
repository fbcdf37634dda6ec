import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { schema as logins } from "../../src/dashboard/worker/logins/schema.ts";
import { schema as mailer } from "../../src/email/delivery/mailer/note.ts";
import { schema as directory } from "../../src/email/objects/directory/schema.ts";
import { schema as inbox } from "../../src/email/objects/inbox/schema.ts";
import { schema as workspace } from "../../src/email/workspace/core/schema.ts";
import { schema as outbox } from "../../src/outbox/model/schema.ts";
import { SRC } from "./source.ts";

const schemas = [outbox, workspace, directory, inbox, mailer, logins];
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

/** Inserts without a list of columns. */
const positional = (text: string): readonly string[] =>
  text.match(/\b(?:INSERT|REPLACE)(?:\s+OR\s+\w+)?\s+INTO\s+\S+(?:\s+AS\s+\w+)?\s+(?!\()\S+/gi) ?? [];

it("a migration is never edited: its text has the digest that was committed with it", async () => {
  const digests = Object.fromEntries(
    schemas.flatMap(({ object, migrations }) =>
      migrations.map(({ version, minimum, sql }) => [
        `${object} ${version}`,
        createHash("sha256").update(`${minimum}\n${sql}`).digest("hex"),
      ]),
    ),
  );
  await expect(`${JSON.stringify(digests, null, 2)}\n`).toMatchFileSnapshot(join(import.meta.dirname, "schemas.json"));
});

it.each(schemas)("versions of $object count from 100, and none needs newer code than itself", ({ migrations }) => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 100));
  for (const { version, minimum } of migrations) {
    expect(minimum).toBeGreaterThanOrEqual(100);
    expect(minimum).toBeLessThanOrEqual(version);
  }
});

it.each(schemas)("migrations of $object create strict tables, and write no row into an empty database", (schema) => {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of schema.migrations) database.exec(sql);
  const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all() as {
    name: string;
    strict: number;
  }[];
  const own = tables.filter(({ name }) => !name.startsWith("sqlite_"));
  expect(own.length).toBeGreaterThan(0);
  for (const { name, strict } of own) {
    expect([name, strict]).toEqual([name, 1]);
    expect([name, database.prepare(`SELECT * FROM ${name}`).all()]).toEqual([name, []]);
  }
});

it("tables are created by the schemas of this test only", () => {
  const creating = sources.filter(({ text }) => /CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER)/.test(text));
  expect(creating.map(({ file }) => file).toSorted()).toEqual([
    "dashboard/worker/logins/schema.ts",
    "email/delivery/mailer/note.ts",
    "email/objects/directory/schema.ts",
    "email/objects/inbox/schema.ts",
    "email/workspace/core/schema.ts",
    "lib/util/migrate.ts",
    "outbox/model/schema.ts",
  ]);
});

it("every INSERT names its columns, so that a column can be added", () => {
  const found = sources.flatMap(({ file, text }) => positional(text).map((insert) => `${file}: ${insert}`));
  expect(found).toEqual([]);
});

it.each([
  "INSERT INTO t VALUES (1)",
  "INSERT OR IGNORE INTO t SELECT 1",
  "REPLACE INTO t VALUES (1)",
  "INSERT INTO t\n  VALUES (1)",
])("an INSERT without columns is found: %j", (sql) => {
  expect(positional(sql)).toHaveLength(1);
  expect(positional(sql.replace(" t", " t (a)"))).toEqual([]);
});

/** Tables of few rows: workflows, messages and templates that people make. */
const SMALL = ["workflows", "message_revisions", "email_messages", "audit", "teams"];

/** Statements of a later step that take longer with more rows, or that code from before cannot live with. */
const unfit = (sql: string): readonly string[] => {
  const statements = sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/CREATE TRIGGER[\s\S]*?\bEND;/g, "")
    .split(";")
    .map((statement) => statement.trim().replaceAll(/\s+/g, " "))
    .filter((statement) => statement !== "");
  const own = new Set(statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []));
  const isFit = (statement: string): boolean => {
    if (/^(CREATE TABLE|DROP TRIGGER) /.test(statement)) return true;
    if (/^ALTER TABLE \w+ ADD COLUMN /.test(statement)) return !/NOT NULL(?!.*DEFAULT)/.test(statement);
    const indexed = /^CREATE INDEX \w+ ON (\w+)/.exec(statement)?.[1];
    return indexed !== undefined && (own.has(indexed) || SMALL.includes(indexed));
  };
  return statements.filter((statement) => !isFit(statement));
};

it.each(schemas)("later migrations of $object only add, and take no longer with more rows", ({ migrations }) => {
  expect(migrations.slice(1).flatMap(({ sql }) => unfit(sql))).toEqual([]);
});

it.each([
  "UPDATE contacts SET plan = 'pro'",
  "DROP TABLE contacts",
  "ALTER TABLE contacts DROP COLUMN plan",
  "ALTER TABLE contacts ADD COLUMN plan TEXT NOT NULL",
  "CREATE INDEX sends_plan ON sends (plan)",
  "CREATE UNIQUE INDEX plans ON workflows (plan)",
  "INSERT INTO plans (name) SELECT plan FROM contacts",
])("a step that does not is found: %j", (sql) => {
  expect(unfit(`-- A comment; with a semicolon.\n${sql};`)).toEqual([sql]);
});
