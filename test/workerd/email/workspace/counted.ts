import { nothing } from "../../../../src/email/workspace/base/context.ts";
import { randomId } from "../../../../src/lib/util/id.ts";

/** What a query reads and writes, in rows: Cloudflare bills both. */
type Cursor = { rowsRead: number; rowsWritten: number };

/** Storage that counts the rows its queries read and write. `storage` takes every transaction as part of the one around it. */
export const counted = (real: SqlStorage) => {
  let cursors: Cursor[] = [];
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = real.exec(query, ...values);
    cursors.push(cursor);
    return cursor as never;
  };
  const sql = { exec } as SqlStorage;
  const storage = { sql, transactionSync: <T>(work: () => T) => work() } as unknown as DurableObjectStorage;
  /** Rows since the last time. */
  const take = () => {
    const sum = (of: keyof Cursor) => cursors.reduce((total, cursor) => total + cursor[of], 0);
    const rows = { read: sum("rowsRead"), written: sum("rowsWritten") };
    cursors = [];
    return rows;
  };
  return { sql, storage, take };
};

/** What an operation is given for one call. */
export const contextOf = (sql: SqlStorage) => ({
  ...{ sql, now: Date.now(), id: randomId, domain: "mail.example.com", sendingIps: [] },
  after: nothing(),
});
