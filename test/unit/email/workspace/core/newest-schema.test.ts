import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrations } from "../../../../../src/email/workspace/core/migrations.ts";
import newest from "../../../../../src/email/workspace/core/newest-schema.json" with { type: "json" };

const file = join(import.meta.dirname, "../../../../../src/email/workspace/core/newest-schema.json");

type Row = { name: string; sql: string };

const schemaOf = (database: DatabaseSync): string[] => {
  const rows = database.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").all() as Row[];
  return rows.map(({ sql }) => sql);
};
const databaseOf = (statements: readonly string[]): DatabaseSync => {
  const database = new DatabaseSync(":memory:");
  for (const statement of statements) database.exec(statement);
  return database;
};
const migrated = databaseOf(migrations.flatMap(({ statements }) => statements));

it("is what the migrations lead to: `vitest run --update` writes it", async () => {
  await expect(`${JSON.stringify(schemaOf(migrated), null, 2)}\n`).toMatchFileSnapshot(file);
});

it("gives the same schema when a database is created from it", () => {
  expect(schemaOf(databaseOf(newest))).toEqual(schemaOf(migrated));
});

it("has no rows to write, because no migration leaves any in an empty database", () => {
  const tables = migrated.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as Row[];
  expect(tables.length).toBeGreaterThan(40);
  for (const { name } of tables) expect(migrated.prepare(`SELECT * FROM ${name}`).all()).toEqual([]);
});
