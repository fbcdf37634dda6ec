/** Something that happened to a mail after it was accepted. `detail`: shown to the operator as it is. */
type Happening = { kind: string; detail: Record<string, unknown> };

/** Adds to the story of a mail. What an earlier line says already is not repeated. */
export const tell = ({ sql, now }: { sql: SqlStorage; now: number }, n: number, { kind, detail }: Happening): void => {
  sql.exec(
    "INSERT OR IGNORE INTO send_events (send, at, kind, detail) VALUES (?, ?, ?, ?)",
    n,
    now,
    kind,
    JSON.stringify(detail),
  );
};

/** The story of a mail, in order. `detail`: JSON. */
export const eventsOf = (sql: SqlStorage, n: number): { at: number; kind: string; detail: string }[] =>
  sql
    .exec<{ at: number; kind: string; detail: string }>(
      "SELECT at, kind, detail FROM send_events WHERE send = ? ORDER BY at, kind",
      n,
    )
    .toArray();
