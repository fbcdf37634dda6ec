/** Columns that a result of workerd may have are 100. */
const AT_ONCE = 90;

export const tablesOf = (sql: SqlStorage): string[] =>
  sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
    )
    .toArray()
    .map(({ name }) => name);

/** Tables with rows, found in few statements. */
export const filledOf = (sql: SqlStorage): string[] => {
  const tables = tablesOf(sql);
  const filled: string[] = [];
  for (let at = 0; at < tables.length; at += AT_ONCE) {
    const some = tables.slice(at, at + AT_ONCE);
    const [row = []] = sql.exec(`SELECT ${some.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(", ")}`).raw();
    filled.push(...some.filter((_, place) => row[place] === 1));
  }
  return filled;
};

/** A database as SQL text: schema and rows, without the tables in `except`. */
export const dump = (sql: SqlStorage, except: ReadonlySet<string> = new Set()): string => {
  const schema = sql
    .exec<{ type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type <> 'table', name`,
    )
    .toArray();
  const rows = filledOf(sql)
    .filter((name) => !except.has(name))
    .flatMap((name) => {
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
