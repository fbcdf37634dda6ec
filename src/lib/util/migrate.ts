/** Versions increase; a released step is never edited. */
export type Migration = { version: number; statements: readonly string[] };

/**
 * Applies missing migrations in one transaction.
 *
 * @param newest creates the newest schema at once in an empty database, because each table change makes SQLite reread
 * the schema
 * @throws if newer code wrote the database
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
