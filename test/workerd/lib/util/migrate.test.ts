import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { schema as logins } from "../../../../src/dashboard/worker/logins/schema.ts";
import { schema as directory } from "../../../../src/email/objects/directory/schema.ts";
import { schema as team } from "../../../../src/email/workspace/core/schema.ts";
import { type Migration, migrate, type Schema, stateProblemOf } from "../../../../src/lib/util/migrate.ts";
import { schema as outbox } from "../../../../src/outbox/model/schema.ts";
import { migrate as migrateOnce } from "../../migrate-once.ts";

afterEach(() => reset());

const { NOTIFIER } = env as unknown as { NOTIFIER: DurableObjectNamespace };

/** The empty storage of an object that stores nothing by itself. */
const inStorage = <T>(use: (storage: DurableObjectStorage) => T): Promise<T> =>
  runInDurableObject(NOTIFIER.getByName("storage"), (_, { storage }) => use(storage));

const first: Migration = {
  version: 100,
  minimum: 100,
  sql: `
-- A comment before the first statement.
CREATE TABLE notes (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE erased (n INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER note_erased AFTER DELETE ON notes
  BEGIN
    INSERT INTO erased (n) VALUES (OLD.n);
  END;
`,
};
const added: Migration = { version: 101, minimum: 100, sql: "ALTER TABLE notes ADD COLUMN color TEXT;" };
const removed: Migration = { version: 102, minimum: 102, sql: "ALTER TABLE notes DROP COLUMN text;" };
const schemaOf = (...migrations: Migration[]) => ({ object: "Notes", migrations });

const tablesIn = ({ sql }: DurableObjectStorage): string[] =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name")
    .toArray()
    .map(({ name }) => name);

const STEPS = "CREATE TABLE schema_steps (version INTEGER PRIMARY KEY, minimum INTEGER NOT NULL)";
const stepsIn = ({ sql }: DurableObjectStorage) =>
  sql.exec("SELECT version, minimum FROM schema_steps ORDER BY version").toArray();

const problemOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return "no error";
  } catch (error) {
    return stateProblemOf(error);
  }
};

describe("migrate", () => {
  it("creates all tables of an empty database, and records the step", async () => {
    const found = await inStorage((storage) => {
      const applied = [migrate(storage, schemaOf(first)), migrate(storage, schemaOf(first))];
      storage.sql.exec("INSERT INTO notes (n, text) VALUES (7, 'a'); DELETE FROM notes");
      const erased = storage.sql.exec("SELECT n FROM erased").toArray();
      return { applied, erased, tables: tablesIn(storage), steps: stepsIn(storage) };
    });
    expect(found).toEqual({
      applied: [[100], []],
      erased: [{ n: 7 }],
      tables: ["erased", "note_erased", "notes", "schema_steps"],
      steps: [{ version: 100, minimum: 100 }],
    });
  });

  it("applies a new step to the data that is there", async () => {
    const found = await inStorage((storage) => {
      migrate(storage, schemaOf(first));
      storage.sql.exec("INSERT INTO notes (n, text) VALUES (1, 'kept')");
      const applied = migrate(storage, schemaOf(first, added));
      return { applied, notes: storage.sql.exec("SELECT * FROM notes").toArray(), steps: stepsIn(storage) };
    });
    expect(found).toEqual({
      applied: [101],
      notes: [{ n: 1, text: "kept", color: null }],
      steps: [
        { version: 100, minimum: 100 },
        { version: 101, minimum: 100 },
      ],
    });
  });

  it("opens the data of newer code with a minimum that it reaches, and changes nothing", async () => {
    const found = await inStorage((storage) => {
      migrate(storage, schemaOf(first, added));
      const applied = migrate(storage, schemaOf(first));
      return { applied, steps: stepsIn(storage).length, again: migrate(storage, schemaOf(first, added)) };
    });
    expect(found).toEqual({ applied: [], steps: 2, again: [] });
  });

  it("refuses the data of newer code with a minimum that it does not reach", async () => {
    const found = await inStorage((storage) => {
      migrate(storage, schemaOf(first, added, removed));
      const before = tablesIn(storage);
      const problem = problemOf(() => migrate(storage, schemaOf(first, added)));
      return { problem, before, after: tablesIn(storage), steps: stepsIn(storage).length };
    });
    expect(found.problem).toBe(
      "This state cannot be opened: the data of Notes needs schema version 102 or newer, and this code knows 101. Deploy the newer version of Mailspan again.",
    );
    expect(found.after).toEqual(found.before);
    expect(found.steps).toBe(3);
  });

  it.each([
    ["has tables and no steps", "CREATE TABLE notes (n INTEGER)"],
    [
      "has the numbers of an unreleased version",
      "CREATE TABLE migrations (version INTEGER); INSERT INTO migrations (version) VALUES (1)",
    ],
    ["has recorded no first step", STEPS],
    ["an earlier commit wrote as version 1", `${STEPS}; INSERT INTO schema_steps (version, minimum) VALUES (1, 1)`],
    [
      "an earlier commit wrote, and another one changed",
      `${STEPS}; INSERT INTO schema_steps (version, minimum) VALUES (1, 1), (100, 100)`,
    ],
    [
      "lacks a step that this code knows",
      `${STEPS}; INSERT INTO schema_steps (version, minimum) VALUES (100, 100), (102, 100)`,
    ],
  ])("refuses a database that %s, and leaves it unchanged", async (_, sql) => {
    const found = await inStorage((storage) => {
      storage.sql.exec(sql);
      const before = tablesIn(storage);
      return { problem: problemOf(() => migrate(storage, schemaOf(first, added))), before, after: tablesIn(storage) };
    });
    expect(found.problem).toMatch(
      /^This state cannot be opened: an unreleased version of Mailspan wrote the data of Notes/,
    );
    expect(found.problem).toContain("the folder that ends in -Notes below .wrangler/state");
    expect(found.problem).toContain("the Worker that binds Notes");
    expect(found.after).toEqual(found.before);
  });

  it("leaves the database as it was if a step fails", async () => {
    const found = await inStorage((storage) => {
      migrate(storage, schemaOf(first));
      storage.sql.exec("INSERT INTO notes (n, text) VALUES (1, 'kept')");
      const broken = {
        version: 101,
        minimum: 100,
        sql: "CREATE TABLE half (x INTEGER); DELETE FROM notes; SELECT nonsense",
      };
      const before = tablesIn(storage);
      let message = "";
      try {
        migrate(storage, schemaOf(first, broken));
      } catch (error) {
        message = (error as Error).message;
      }
      const notes = storage.sql.exec("SELECT text FROM notes").toArray();
      return { message, notes, before, after: tablesIn(storage), steps: stepsIn(storage).length };
    });
    expect(found.message).toContain("nonsense");
    expect(found.notes).toEqual([{ text: "kept" }]);
    expect(found.after).toEqual(found.before);
    expect(found.steps).toBe(1);
  });
});

it("an error of another kind is no problem of the state", () => {
  expect(stateProblemOf(new Error("no such table: notes"))).toBeUndefined();
  expect(stateProblemOf("thrown text")).toBeUndefined();
});

describe("a database that gets its tables at once, as those of objects in tests", () => {
  const contentOf = ({ sql }: DurableObjectStorage) => ({
    objects: sql
      .exec(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY rowid",
      )
      .toArray(),
    steps: stepsIn({ sql } as DurableObjectStorage),
    rows: sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray()
      .map(({ name }) => [name, sql.exec(`SELECT count(*) AS n FROM "${name}"`).one().n]),
  });
  const made = (name: string, by: typeof migrate, schema: Schema) =>
    runInDurableObject(NOTIFIER.getByName(name), (_, { storage }) => ({
      applied: by(storage, schema),
      again: by(storage, schema),
      ...contentOf(storage),
    }));

  it.each([team, directory, outbox, logins])("is the same as by steps: $object", async (schema) => {
    const byStep = await made("by step", migrate, schema);
    expect(byStep.applied).toEqual(schema.migrations.map(({ version }) => version));
    for (const name of ["first", "second"]) expect(await made(name, migrateOnce, schema)).toEqual(byStep);
  });
});
