import { nothing } from "../../../../src/email/workspace/core/context.ts";
import { randomId } from "../../../../src/lib/util/id.ts";

/** Rows that a query reads and writes: Cloudflare bills both. */
type Cursor = { rowsRead: number; rowsWritten: number };

const WRITTEN = /^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)/i;

/** Storage that counts the rows of its queries. Its transactions run inside the surrounding one. */
export const counted = (real: SqlStorage) => {
  let cursors: Cursor[] = [];
  let writes: { table: string; cursor: Cursor }[] = [];
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = real.exec(query, ...values);
    cursors.push(cursor);
    const [, table] = WRITTEN.exec(query) ?? [];
    if (table !== undefined) writes.push({ table, cursor });
    return cursor as never;
  };
  const sql = { exec } as SqlStorage;
  const storage = { sql, transactionSync: <T>(work: () => T) => work() } as unknown as DurableObjectStorage;
  const take = () => {
    const sum = (of: keyof Cursor) => cursors.reduce((total, cursor) => total + cursor[of], 0);
    const rows = { read: sum("rowsRead"), written: sum("rowsWritten") };
    cursors = [];
    return rows;
  };
  /** Written rows by the table of the statement, with those of its triggers. */
  const byTable = (): Record<string, number> => {
    const rows: Record<string, number> = {};
    for (const { table, cursor } of writes) rows[table] = (rows[table] ?? 0) + cursor.rowsWritten;
    writes = [];
    return rows;
  };
  return { sql, storage, take, byTable };
};

export const contextOf = (sql: SqlStorage) => ({
  sql,
  now: Date.now(),
  id: randomId,
  origin: "https://mail.test",
  domain: "mail.example.com",
  sendingIps: [],
  mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["transactional" as const], notes: [] },
  publicUrl: "https://mail.test",
  hasBucket: true,
  after: nothing(),
});
