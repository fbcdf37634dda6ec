type Kind = "ended" | "dropped";

/** Adds to a count, which outlives its runs. */
export const addCount = (sql: SqlStorage, workflow: number, kind: Kind, reason: string, by = 1): void => {
  sql.exec(
    `INSERT INTO workflow_counts (workflow, kind, reason, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    workflow,
    kind,
    reason,
    by,
  );
};

type Counts = Record<Kind, Record<string, number>>;

export const countsOf = (sql: SqlStorage, workflow: number): Counts => {
  const counts: Counts = { ended: {}, dropped: {} };
  const rows = sql.exec<{ kind: Kind; reason: string; count: number }>(
    "SELECT kind, reason, count FROM workflow_counts WHERE workflow = ? ORDER BY kind, reason",
    workflow,
  );
  for (const { kind, reason, count } of rows) counts[kind][reason] = count;
  return counts;
};
