/** A step of a schema, never edited. `minimum`: lowest version of the code that still works with the data. */
export type Migration = { version: number; minimum: number; sql: string };

/** Tables of a Durable Object class. Versions count from 100; unreleased code wrote lower ones. */
export type Schema = { object: string; migrations: readonly Migration[] };

/** Messages cross from object to caller, classes of errors do not. */
const REFUSED = "This state cannot be opened: ";

/**
 * Applies missing migrations in one transaction, and returns their versions.
 *
 * @throws on a state that this code does not know, before any change; see `stateProblemOf`
 */
export const migrate = (
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">,
  { object, migrations }: Schema,
): number[] => {
  const { sql } = storage;
  const tables = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray();
  const steps = tables.some(({ name }) => name === "schema_steps")
    ? sql
        .exec<{ version: number; minimum: number }>("SELECT version, minimum FROM schema_steps ORDER BY version")
        .toArray()
    : [];
  const first = migrations[0]?.version ?? 0;
  const hasGap = steps.some(({ version }, index) => version !== first + index);
  if (hasGap || (tables.length > 0 && steps.length === 0)) throw new Error(unknownState(object));
  const needed = Math.max(0, ...steps.map(({ minimum }) => minimum));
  const known = Math.max(0, ...migrations.map(({ version }) => version));
  if (needed > known) throw new Error(newerState(object, needed, known));
  const applied = new Set(steps.map(({ version }) => version));
  const missing = migrations.filter(({ version }) => !applied.has(version));
  if (missing.length === 0) return [];
  storage.transactionSync(() => {
    sql.exec("CREATE TABLE IF NOT EXISTS schema_steps (version INTEGER PRIMARY KEY, minimum INTEGER NOT NULL) STRICT");
    for (const { version, minimum, sql: text } of missing) {
      sql.exec(text);
      sql.exec("INSERT INTO schema_steps (version, minimum) VALUES (?, ?)", version, minimum);
    }
  });
  return missing.map(({ version }) => version);
};

/** Returns the newest version of the tables. */
export const schemaVersion = (sql: SqlStorage): number =>
  sql.exec<{ version: number }>("SELECT max(version) AS version FROM schema_steps").one().version;

const unknownState = (object: string): string =>
  `${REFUSED}an unreleased version of Mailspan wrote the data of ${object}. Delete it. Local: stop, then delete the folder that ends in -${object} below .wrangler/state (with --from: below the folder state in it). Deployed: npx wrangler delete for the Worker that binds ${object}, which deletes all data of that Worker, then npm run deploy.`;

const newerState = (object: string, needed: number, known: number): string =>
  `${REFUSED}the data of ${object} needs schema version ${needed} or newer, and this code knows ${known}. Deploy the newer version of Mailspan again.`;

/** Returns the message of `migrate` if a Durable Object refused its state. */
export const stateProblemOf = (error: unknown): string | undefined => {
  const message = error instanceof Error ? error.message : String(error);
  const at = message.indexOf(REFUSED);
  return at < 0 ? undefined : message.slice(at);
};
