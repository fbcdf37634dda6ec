/** A database as SQL text: schema and rows, without the tables in `except`. */
export const dump = (sql: SqlStorage, except: ReadonlySet<string> = new Set()): string => {
  const schema = sql
    .exec<{ type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type <> 'table', name`,
    )
    .toArray();
  const rows = schema
    .filter(({ type, name }) => type === "table" && !except.has(name))
    .flatMap(({ name }) => {
      const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", name).toArray();
      const values = columns.map((column) => `quote("${column.name}")`).join(` || ', ' || `);
      return sql
        .exec<{ line: string }>(`SELECT 'INSERT INTO ${name} VALUES (' || ${values} || ');' AS line FROM ${name}`)
        .toArray()
        .map(({ line }) => line)
        .sort();
    });
  return `${[...schema.map(({ sql: statement }) => `${statement};`), ...rows].join("\n")}\n`;
};

/** A dump without what a refused request also writes: hits of a window, the last use of a key, and rows of the day. */
export const kept = (sql: SqlStorage): string =>
  dump(sql, new Set(["rate"]))
    .replaceAll(/^INSERT INTO limits VALUES \('day_rows'.*\n?/gm, "")
    .replaceAll(/^(INSERT INTO api_keys VALUES \(.*), (?:NULL|\d+)\);$/gm, "$1, NULL);");
