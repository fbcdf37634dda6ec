import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";

/** One process of an object. A dead process neither reads, writes nor wakes. */
export type Life = { alive: boolean };

/** Changes a statement before it runs, to plant a bug. */
export type Mutation = (query: string) => string;

const sqlOf = (database: DatabaseSync, wrote: () => void, mutate: Mutation): SqlStorage => {
  const statements = new Map<string, StatementSync>();
  const changes = database.prepare("SELECT changes() AS n");
  const exec = (query: string, ...values: (string | number | null)[]) => {
    const statement = statements.get(query) ?? database.prepare(mutate(query));
    statements.set(query, statement);
    const rows = statement.all(...values).map((row) => ({ ...row }));
    if (!/^\s*SELECT/i.test(query)) wrote();
    const one = () => {
      if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one: ${query}`);
      return rows[0];
    };
    return {
      toArray: () => rows,
      one,
      [Symbol.iterator]: () => rows[Symbol.iterator](),
      /** Without rows of indexes. Valid until the next statement. */
      get rowsWritten() {
        return Number(changes.get()?.n ?? 0);
      },
    };
  };
  return { exec } as unknown as SqlStorage;
};

/** Storage of an object on a slow disk: a crash undoes every write after the last flush. */
export const createDisk = (
  timeline: Timeline,
  flushTime: () => number,
  schema: readonly string[],
  mutate: Mutation = (query) => query,
) => {
  const database = new DatabaseSync(":memory:");
  let dirty = false;
  let planned = false;
  let waiting: { life: Life; resolve: () => void }[] = [];

  const flush = () => {
    planned = false;
    if (!dirty) return;
    dirty = false;
    database.exec("COMMIT; BEGIN");
    for (const { life, resolve } of waiting.splice(0)) if (life.alive) resolve();
  };
  const wrote = () => {
    dirty = true;
    if (planned) return;
    planned = true;
    timeline.in(flushTime(), flush);
  };
  const sql = sqlOf(database, wrote, mutate);
  const transaction = <T>(work: () => T): T => {
    database.exec("SAVEPOINT work");
    try {
      const result = work();
      database.exec("RELEASE work");
      return result;
    } catch (error) {
      database.exec("ROLLBACK TO work; RELEASE work");
      throw error;
    }
  };
  for (const text of schema) database.exec(mutate(text));
  wrote();
  database.exec("CREATE TABLE sim_alarm (at INTEGER)");
  database.exec("BEGIN");
  dirty = false;
  /** True in the alarm handler without a new alarm. The old alarm is deleted only if the handler succeeds. */
  let ringing = false;
  const setAlarm = (at: number | undefined): void => {
    ringing = false;
    sql.exec("DELETE FROM sim_alarm");
    if (at !== undefined) sql.exec("INSERT INTO sim_alarm (at) VALUES (?)", at);
  };

  return {
    sql,
    transaction,
    durable: (life: Life): Promise<void> =>
      dirty ? new Promise((resolve) => waiting.push({ life, resolve })) : Promise.resolve(),
    crash: () => {
      waiting = [];
      database.exec("ROLLBACK; BEGIN");
      dirty = false;
      ringing = false;
    },
    alarm: (): number | undefined => sql.exec<{ at: number }>("SELECT at FROM sim_alarm").toArray()[0]?.at,
    setAlarm,
    ring: (): void => {
      ringing = true;
    },
    rang: (): void => {
      if (ringing) setAlarm(undefined);
    },
    close: () => database.close(),
  };
};
