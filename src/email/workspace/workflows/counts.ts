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

export type AcceptedMails = { accepted: number; notSent: number };

/** Counts accepted mails by message row; `sends` counts later states. */
export const addMails = (sql: SqlStorage, message: number, { accepted, notSent }: AcceptedMails): void => {
  sql.exec(
    `INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, accepted, settled, not_sent)
     VALUES (?1, 0, 0, 0, 0, 0, ?2, ?3, ?3)
     ON CONFLICT (message) DO UPDATE SET accepted = accepted + excluded.accepted, settled = settled + excluded.settled,
       not_sent = not_sent + excluded.not_sent`,
    message,
    accepted,
    notSent,
  );
};
