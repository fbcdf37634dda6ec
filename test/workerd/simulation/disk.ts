import type { Disk } from "../../../src/outbox/model/dependencies.ts";
import type { Timeline } from "./timeline.ts";

/** One process of the object. A failed process neither reads, writes nor wakes. */
export type Life = { alive: boolean };

/** An entry of the undo log, written by triggers: a row before the change, or the key of an inserted row. */
type Undo = { n: number; name: string; row: string | null; key: string | null };

type Table = { name: string; columns: string[]; keys: string[] };

const tablesOf = (sql: SqlStorage): Table[] =>
  sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT IN ('schema_steps', 'sim_undo')",
    )
    .toArray()
    .map(({ name }) => {
      const columns = sql
        .exec<{ name: string; pk: number }>(`SELECT name, pk FROM pragma_table_info('${name}')`)
        .toArray();
      return {
        name,
        columns: columns.map((column) => column.name),
        keys: columns.filter(({ pk }) => pk > 0).map((column) => column.name),
      };
    });

const json = (columns: readonly string[], of = "") =>
  `json_array(${columns.map((column) => `${of}${column}`).join(", ")})`;

/** Installs triggers that log the undo of each write, so that no SQL has to be parsed. */
const install = (sql: SqlStorage, tables: readonly Table[]): void => {
  sql.exec("CREATE TABLE IF NOT EXISTS sim_undo (n INTEGER PRIMARY KEY, name TEXT NOT NULL, row TEXT, key TEXT)");
  for (const { name, columns, keys } of tables) {
    const log = (timing: string, body: string) =>
      sql.exec(
        `CREATE TRIGGER IF NOT EXISTS sim_${name}_${timing.replace(" ", "_")} ${timing} ON ${name} BEGIN ${body}; END`,
      );
    const old = `INSERT INTO sim_undo (name, row) VALUES ('${name}', ${json(columns, "OLD.")})`;
    log("AFTER UPDATE", old);
    log("AFTER DELETE", old);
    // No other trigger fires for a row that INSERT OR REPLACE replaces.
    const same = keys.map((key) => `${key} = NEW.${key}`).join(" AND ");
    log(
      "BEFORE INSERT",
      `INSERT INTO sim_undo (name, row) SELECT '${name}', ${json(columns)} FROM ${name} WHERE ${same}`,
    );
    log("AFTER INSERT", `INSERT INTO sim_undo (name, key) VALUES ('${name}', ${json(keys, "NEW.")})`);
  }
};

/**
 * The object's storage on a slow disk: a crash undoes every write after the last flush.
 *
 * @param flushTime ms that the next flush takes
 * @param alarmSet called when the alarm has changed
 */
export const createDisk = (
  storage: DurableObjectStorage,
  timeline: Timeline,
  flushTime: () => number,
  alarmSet: (before: number | null, at: number | null) => void,
) => {
  const { sql } = storage;
  const tables = tablesOf(sql);
  install(sql, tables);
  for (const { name } of tables) sql.exec(`DELETE FROM ${name}`);
  sql.exec("DELETE FROM sim_undo");

  let dirty = false;
  let current = 0;
  let durable = 0;
  let flushing = false;
  let crashes = 0;
  let alarm: number | null = null;
  /** True in the alarm handler without a new alarm. The old alarm is deleted only if the handler succeeds. */
  let ringing = false;
  let waiting: { for: number; life: Life; resolve: () => void }[] = [];

  const version = (): number => {
    if (dirty) current = sql.exec<{ n: number | null }>("SELECT max(n) AS n FROM sim_undo").one().n ?? current;
    dirty = false;
    return current;
  };
  const reach = (to: number): void => {
    durable = to;
    sql.exec("DELETE FROM sim_undo WHERE n < ?", durable);
    const all = waiting;
    waiting = all.filter((one) => one.for > durable);
    for (const one of all) if (one.for <= durable && one.life.alive) one.resolve();
  };
  const undo = ({ name, row, key }: Undo): void => {
    if (name === "alarm") {
      alarm = JSON.parse(row ?? "null") as number | null;
      return;
    }
    const table = tables.find((one) => one.name === name) as Table;
    const values = JSON.parse(row ?? key ?? "[]") as (string | number | null)[];
    if (row === null)
      sql.exec(`DELETE FROM ${name} WHERE ${table.keys.map((k) => `${k} = ?`).join(" AND ")}`, ...values);
    else sql.exec(`INSERT OR REPLACE INTO ${name} VALUES (${values.map(() => "?").join(", ")})`, ...values);
  };
  const setAlarm = (at: number | null): void => {
    sql.exec("INSERT INTO sim_undo (name, row) VALUES ('alarm', ?)", JSON.stringify(alarm));
    dirty = true;
    const before = ringing ? null : alarm;
    ringing = false;
    alarm = at;
    alarmSet(before, at);
  };

  const disk = {
    sql,
    alarm: () => alarm,
    ring: (): void => {
      ringing = true;
    },
    rung: (): void => {
      if (ringing) setAlarm(null);
      ringing = false;
    },
    isClean: () => version() === durable,
    durable: (life: Life): Promise<void> => {
      const reached = version();
      return reached <= durable
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ for: reached, life, resolve }));
    },
    flush: (): void => {
      if (flushing || version() === durable) return;
      flushing = true;
      const during = crashes;
      const to = current;
      timeline.in(flushTime(), () => {
        if (during !== crashes) return;
        flushing = false;
        reach(to);
      });
    },
    flushNow: (): number => {
      crashes++;
      flushing = false;
      ringing = false;
      reach(version());
      return 0;
    },
    rollBack: (): number => {
      crashes++;
      flushing = false;
      ringing = false;
      version();
      const lost = sql.exec<Undo>("SELECT * FROM sim_undo WHERE n > ? ORDER BY n DESC", durable).toArray();
      for (const one of lost) undo(one);
      sql.exec("DELETE FROM sim_undo WHERE n > ?", durable);
      current = durable;
      dirty = false;
      waiting = [];
      return lost.length;
    },
    of: (life: Life): Disk => {
      const mustLive = () => {
        if (!life.alive) throw new Error("The process has failed.");
      };
      const guarded = {
        get databaseSize() {
          return sql.databaseSize;
        },
        exec: (query: string, ...values: unknown[]) => {
          mustLive();
          if (!/^\s*SELECT/i.test(query)) dirty = true;
          return sql.exec(query, ...values);
        },
      };
      return {
        sql: guarded as unknown as SqlStorage,
        transactionSync: (work) => {
          mustLive();
          return storage.transactionSync(work);
        },
        sync: () => disk.durable(life),
        getAlarm: () => Promise.resolve(ringing ? null : alarm),
        setAlarm: (at) => {
          mustLive();
          setAlarm(Number(at));
          return Promise.resolve();
        },
      };
    },
  };
  return disk;
};
