import { DAY_MS } from "../../../lib/util/dates.ts";
import type { Migration } from "../../../lib/util/migrate.ts";
import type { Claim } from "../../types/mailer.ts";

/** How long the notes of a crashed Mailer are kept, in ms. The Workspace gives up on a mail after one day. */
const KEPT_MS = 2 * DAY_MS;

export const migrations: readonly Migration[] = [
  {
    version: 1,
    // One row for each block of claims that were started together. claims: JSON array of [n, attempt]. at: Unix ms. Deleted
    // when the Workspace has the results; what a crash leaves, after two days.
    statements: ["CREATE TABLE started (block INTEGER PRIMARY KEY, claims TEXT NOT NULL, at INTEGER NOT NULL) STRICT"],
  },
];

/**
 * A Mailer's durable notes of the claims that it is about to hand over. After a crash they tell a mail that may have left
 * from a mail that certainly has not.
 */
export type StartedClaims = {
  /** Notes claims as started. Resolves to the number of their block when the note is durable. */
  add(claims: readonly Claim[], now: number): Promise<number>;
  /** Deletes a block: the Workspace has all its results. */
  remove(block: number): void;
  /** Those of these claims that were started. */
  among(claims: readonly Claim[]): Claim[];
  /** Deletes the notes of crashes that are older than two days. */
  purge(now: number): void;
};

type Row = { block: number; claims: string };

/** The name of a claim as a key of a map. */
export const keyOf = ({ n, attempt }: Claim): string => `${n}.${attempt}`;

/** Notes in the storage of a Mailer object. `sync` resolves when all writes so far are durable. */
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
