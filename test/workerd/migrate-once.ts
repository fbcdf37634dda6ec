// In place of src/lib/util/migrate.ts in objects of tests, which make thousands of databases.
import { migrate as migrateByStep, type Schema } from "../../src/lib/util/migrate.ts";

/** @public The objects import these by the alias in vitest.config.ts. */
export { schemaVersion, stateProblemOf } from "../../src/lib/util/migrate.ts";

type Storage = Parameters<typeof migrateByStep>[0];

const made = new Map<Schema, string>();

const objectsOf = (sql: SqlStorage): string[] =>
  sql
    .exec<{ text: string }>(
      `SELECT sql AS text FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`,
    )
    .toArray()
    .map(({ text }) => `${text};`);

/** The first empty database of a schema takes its steps. The next ones get its tables at once, in half the time. */
export const migrate = (storage: Storage, schema: Schema): number[] => {
  const { sql } = storage;
  const isEmpty = objectsOf(sql).length === 0;
  const text = made.get(schema);
  if (isEmpty && text !== undefined) {
    storage.transactionSync(() => sql.exec(text));
    return schema.migrations.map(({ version }) => version);
  }
  const applied = migrateByStep(storage, schema);
  if (isEmpty) {
    const steps = schema.migrations.map(({ version, minimum }) => `(${version}, ${minimum})`);
    made.set(schema, [...objectsOf(sql), `INSERT INTO schema_steps (version, minimum) VALUES ${steps};`].join("\n"));
  }
  return applied;
};
