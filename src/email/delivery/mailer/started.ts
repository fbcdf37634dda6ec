import { DAY_MS } from "../../../lib/util/dates.ts";
import type { Schema } from "../../../lib/util/migrate.ts";
import type { Claim } from "../../types/mailer-rpc.ts";

/** Milliseconds; the Workspace gives up after one day. */
const KEPT_MS = 2 * DAY_MS;

// One row per block. claims: JSON array of [n, attempt]. at: Unix ms. Deleted with results, or after two days.
const version100 = `
CREATE TABLE started (block INTEGER PRIMARY KEY, claims TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
`;

/** The tables of a Mailer. */
export const schema: Schema = {
  object: "Mailer",
  migrations: [{ version: 100, minimum: 100, sql: version100 }],
};

/** Durable notes that tell possibly sent mail from unsent mail after a crash. */
export type StartedClaims = {
  /** Resolves to the block number once durable. */
  add(claims: readonly Claim[], now: number): Promise<number>;
  remove(block: number): void;
  among(claims: readonly Claim[]): Claim[];
  /** Deletes notes older than two days. */
  purge(now: number): void;
};

type Row = { block: number; claims: string };

export const keyOf = ({ n, attempt }: Claim): string => `${n}.${attempt}`;

/** `sync` resolves when writes are durable. */
export const startedClaimsIn = (sql: SqlStorage, sync: () => Promise<void>): StartedClaims => ({
  async add(claims, now) {
    const json = JSON.stringify(claims.map(({ n, attempt }) => [n, attempt]));
    const { block } = sql.exec<Row>("INSERT INTO started (claims, at) VALUES (?, ?) RETURNING block", json, now).one();
    await sync();
    return block;
  },
  remove: (block) => {
    sql.exec("DELETE FROM started WHERE block = ?", block);
  },
  among: (claims) => {
    const wanted = new Map(claims.map((claim) => [keyOf(claim), claim]));
    return sql
      .exec<Row>("SELECT block, claims FROM started")
      .toArray()
      .flatMap((row) => JSON.parse(row.claims) as [number, number][])
      .flatMap(([n, attempt]) => wanted.get(keyOf({ n, attempt })) ?? []);
  },
  purge: (now) => {
    sql.exec("DELETE FROM started WHERE at <= ?", now - KEPT_MS);
  },
});
