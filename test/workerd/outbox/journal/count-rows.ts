import type { Bench } from "../setup.ts";

/** Counts billed written rows: SQL by the cursor's figure, alarms one each. */
export const countRows = async (bench: Bench, work: () => Promise<void>): Promise<{ sql: number; alarms: number }> => {
  let written = 0;
  const before = bench.clock.alarms.length;
  const undo = await bench.inside((_, { storage }) => {
    const sql = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = sql;
    sql.exec = function (this: SqlStorage, ...args: Parameters<typeof exec>) {
      const cursor = exec.apply(this, args);
      written += cursor.rowsWritten;
      return cursor;
    } as typeof exec;
    return () => {
      sql.exec = exec;
    };
  });
  try {
    await work();
  } finally {
    undo();
  }
  return { sql: written, alarms: bench.clock.alarms.length - before };
};
