/** One step of a schema. Versions increase; a released step is never edited. */
export type Migration = { version: number; statements: readonly string[] };

/**
 * Brings a database to the newest schema: applies the missing steps in order and stores their versions, in one
 * transaction. Writes nothing when the schema is up to date.
 *
 * @param newest the statements that create the newest schema in an empty database at once: each change of a table makes SQLite
 *   read the whole schema again, so that many steps take several times longer than one
 * @returns the applied versions
 * @throws where a newer version of this code wrote the database
 */
export const migrate = (
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">,
  migrations: readonly Migration[],
  newest?: readonly string[],
): number[] => {
  const { sql } = storage;
  const target = migrations.at(-1)?.version ?? 0;
  const known =
    sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
  const current = known ? sql.exec<{ v: number }>("SELECT coalesce(max(version), 0) AS v FROM migrations").one().v : 0;
  if (current > target) {
    throw new Error(
      `This state was written by schema version ${current}; this code knows only ${target}. Deploy the newer version again.`,
    );
  }
  const missing = migrations.filter(({ version }) => version > current);
  if (missing.length === 0) return [];
  storage.transactionSync(() => {
    sql.exec("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY) STRICT");
    const atOnce = current === 0 ? newest : undefined;
    for (const statement of atOnce ?? []) sql.exec(statement);
    for (const { version, statements } of missing) {
      if (!atOnce) for (const statement of statements) sql.exec(statement);
      sql.exec("INSERT INTO migrations (version) VALUES (?)", version);
    }
  });
  return missing.map(({ version }) => version);
};
