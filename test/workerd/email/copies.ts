import { evictDurableObject, listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { filledOf, kept, tablesOf } from "./dump.ts";

/** The rows of an object by table, its alarm, and both as text. */
export type Copy = {
  stub: DurableObjectStub;
  tables: Map<string, SqlStorageValue[][]>;
  alarm: number | null;
  text: string;
};

const { WORKSPACE, DIRECTORY, INBOX_STORE, MAILER, NOTIFIER } = env as unknown as Record<
  string,
  DurableObjectNamespace
>;
const namespaces = [WORKSPACE, DIRECTORY, INBOX_STORE, MAILER, NOTIFIER].filter((one) => one !== undefined);

const objects = async (): Promise<DurableObjectStub[]> => {
  const found = await Promise.all(
    namespaces.map(async (namespace) => (await listDurableObjectIds(namespace)).map((id) => namespace.get(id))),
  );
  return found.flat();
};

const inside = <T>(stub: DurableObjectStub, work: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(stub, (_: DurableObject, { storage }) => work(storage));

const columnsOf = (sql: SqlStorage, table: string): string =>
  sql
    .exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
    .toArray()
    .map(({ name }) => `"${name}"`)
    .join(", ");

const rowsOf = (sql: SqlStorage): Copy["tables"] =>
  new Map(
    tablesOf(sql).map(
      (table) => [table, [...sql.exec(`SELECT ${columnsOf(sql, table)} FROM ${table}`).raw()]] as const,
    ),
  );

const textOf = async (storage: DurableObjectStorage): Promise<string> =>
  `${kept(storage.sql)}${await storage.getAlarm()}`;

const isUnused = (sql: SqlStorage): boolean => filledOf(sql).every((table) => table === "schema_steps");

/** Copies the data of all objects that have data. */
export const copyAll = async (): Promise<Copy[]> => {
  const copies = await Promise.all(
    (await objects()).map((stub) =>
      inside(stub, async (storage) =>
        isUnused(storage.sql)
          ? []
          : [{ stub, tables: rowsOf(storage.sql), alarm: await storage.getAlarm(), text: await textOf(storage) }],
      ),
    ),
  );
  return copies.flat();
};

const write = (storage: DurableObjectStorage, tables: Copy["tables"], emptied = filledOf(storage.sql)): void =>
  storage.transactionSync(() => {
    const { sql } = storage;
    // Again: a trigger of the first pass may write to an emptied table.
    for (let pass = 0; pass < 2; pass++) for (const table of emptied) sql.exec(`DELETE FROM ${table}`);
    for (const [table, rows] of tables) {
      if (rows.length === 0) continue;
      const places = (rows[0] ?? []).map(() => "?").join(", ");
      const insert = `INSERT OR REPLACE INTO ${table} (${columnsOf(sql, table)}) VALUES (${places})`;
      for (const row of rows) sql.exec(insert, ...row);
    }
  });

/** Writes the copied data back where it differs, and restarts these objects, so that they keep nothing in memory. */
export const putBack = async (copies: readonly Copy[]): Promise<void> => {
  const known = new Map(copies.map((copy) => [copy.stub.id.toString(), copy]));
  const changed = await Promise.all(
    (await objects()).map(async (stub) => {
      const copy = known.get(stub.id.toString());
      const restored = await inside(stub, async (storage) => {
        if (copy) {
          if ((await textOf(storage)) === copy.text) {
            // Refusals write no more than this, and no object keeps it in memory.
            const rate = [...copy.tables].filter(([table]) => table === "rate");
            write(
              storage,
              new Map(rate),
              rate.map(([table]) => table),
            );
            return false;
          }
          write(storage, copy.tables);
          await (copy.alarm === null ? storage.deleteAlarm() : storage.setAlarm(copy.alarm));
        } else {
          if (isUnused(storage.sql)) return false;
          await storage.deleteAll();
        }
        return true;
      });
      return restored ? [stub] : [];
    }),
  );
  // Only changed objects: a working object of another test cannot be evicted, and would block.
  await Promise.all(changed.flat().map((stub) => evictDurableObject(stub)));
};
