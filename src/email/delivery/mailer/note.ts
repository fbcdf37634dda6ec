import type { Schema } from "../../../lib/util/migrate.ts";
import type { Claim, SendResult } from "../../types/mailer-rpc.ts";

/** `claims`: may be with a mail provider. `results`: may not be settled yet. */
export type Note = { claims: readonly Claim[]; results: readonly SendResult[] };

export const nothingNoted: Note = { claims: [], results: [] };

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

/** The tables of a Mailer. */
export const schema: Schema = {
  object: "Mailer",
  migrations: [
    { version: 100, minimum: 100, sql: version100 },
    { version: 101, minimum: 100, sql: version101 },
  ],
};

/** The durable note that tells possibly sent mail from unsent mail after a crash. */
export type NoteStore = {
  read(): Note;
  /** Resolves once durable. */
  write(note: Note): Promise<void>;
};

type Row = { claims: string; results: string };

/** `sync` resolves when writes are durable. */
export const noteIn = (sql: SqlStorage, sync: () => Promise<void>): NoteStore => ({
  read: () => {
    const rows = sql.exec<Row>("SELECT claims, results FROM note UNION ALL SELECT claims, '[]' FROM started").toArray();
    return {
      claims: rows
        .flatMap(({ claims }) => JSON.parse(claims) as [number, number][])
        .map(([n, attempt]) => ({ n, attempt })),
      results: rows.flatMap(({ results }) => JSON.parse(results) as SendResult[]),
    };
  },
  write: async ({ claims, results }) => {
    sql.exec(
      "INSERT INTO note (one, claims, results) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET claims = excluded.claims, results = excluded.results",
      JSON.stringify(claims.map(({ n, attempt }) => [n, attempt])),
      JSON.stringify(results),
    );
    await sync();
  },
});
