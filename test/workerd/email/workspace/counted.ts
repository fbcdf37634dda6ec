import { nothing } from "../../../../src/email/workspace/core/context.ts";
import { randomId } from "../../../../src/lib/util/id.ts";

/** Rows that a query reads and writes: Cloudflare bills both. */
type Cursor = { rowsRead: number; rowsWritten: number };

/** Storage that counts the rows of its queries. Its transactions run inside the surrounding one. */
export const counted = (real: SqlStorage) => {
  let cursors: Cursor[] = [];
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = real.exec(query, ...values);
    cursors.push(cursor);
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
  return { sql, storage, take };
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
