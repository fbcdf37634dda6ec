type Happening = { kind: string; detail: Record<string, unknown> };

/** Adds a line to a mail's history without repetition. */
export const noteEvents = (
  { sql, now }: { sql: SqlStorage; now: number },
  n: number,
  { kind, detail }: Happening,
): void => {
  sql.exec(
    "INSERT OR IGNORE INTO send_events (send, at, kind, detail) VALUES (?, ?, ?, ?)",
    n,
    now,
    kind,
    JSON.stringify(detail),
  );
};

export const eventsOf = (sql: SqlStorage, n: number): { at: number; kind: string; detail: string }[] =>
  sql
    .exec<{ at: number; kind: string; detail: string }>(
      "SELECT at, kind, detail FROM send_events WHERE send = ? ORDER BY at, kind",
      n,
    )
    .toArray();
