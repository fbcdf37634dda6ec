import type { Schema } from "../../../lib/util/migrate.ts";
import type { Claim, Order, SendResult } from "../../types/mailer-rpc.ts";

/** `claims`: may be with a mail provider. `results`: may not be settled yet. `stamp`: of the newest order. */
export type Note = { claims: readonly Claim[]; results: readonly SendResult[]; stamp: Order["stamp"] };

export const nothingNoted: Note = { claims: [], results: [], stamp: [0, 0] };

// One row per block of mails that version 100 had started. claims: JSON array of [n, attempt].
const version100 = `
CREATE TABLE started (block INTEGER PRIMARY KEY, claims TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
`;

// One row, rewritten. claims: as above. results: JSON.
const version101 = `
CREATE TABLE note (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  claims TEXT NOT NULL,
  results TEXT NOT NULL
) STRICT;
`;

// stamp: JSON of the newest order's; NULL if version 101 wrote the note.
const version102 = "ALTER TABLE note ADD COLUMN stamp TEXT;";

/** The tables of a Mailer. */
export const schema: Schema = {
  object: "Mailer",
  migrations: [
    { version: 100, minimum: 100, sql: version100 },
    { version: 101, minimum: 100, sql: version101 },
    { version: 102, minimum: 100, sql: version102 },
  ],
};

/** The durable note that tells possibly sent mail from unsent mail after a crash. */
export type NoteStore = {
  read(): Note;
  /** Resolves once durable. */
  write(note: Note): Promise<void>;
};

type Row = { claims: string; results: string; stamp: string | null };

/** `sync` resolves when writes are durable. */
export const noteIn = (sql: SqlStorage, sync: () => Promise<void>): NoteStore => ({
  read: () => {
    const rows = sql
      .exec<Row>("SELECT claims, results, stamp FROM note UNION ALL SELECT claims, '[]', NULL FROM started")
      .toArray();
    return {
      claims: rows
        .flatMap(({ claims }) => JSON.parse(claims) as [number, number][])
        .map(([n, attempt]) => ({ n, attempt })),
      results: rows.flatMap(({ results }) => JSON.parse(results) as SendResult[]),
      stamp: JSON.parse(rows.find(({ stamp }) => stamp !== null)?.stamp ?? "[0,0]") as Order["stamp"],
    };
  },
  write: async ({ claims, results, stamp }) => {
    sql.exec(
      `INSERT INTO note (one, claims, results, stamp) VALUES (1, ?, ?, ?)
       ON CONFLICT (one) DO UPDATE SET claims = excluded.claims, results = excluded.results, stamp = excluded.stamp`,
      JSON.stringify(claims.map(({ n, attempt }) => [n, attempt])),
      JSON.stringify(results),
      JSON.stringify(stamp),
    );
    await sync();
  },
});
