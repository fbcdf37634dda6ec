import type { Context } from "../core/context.ts";
import { ensureRowsOf } from "../core/mailer-claims.ts";
import { sweepContact } from "../core/sweeps.ts";
import { type ContactData, changeRow, defaults, removeContact, type StoredContact } from "./contact-rows.ts";
import { reportMerged } from "./report.ts";

/**
 * Merges two contacts, one without userId, the other without email. The one with the email stays, because links name
 * it.
 *
 * @returns `before`: state before the request changes it; `known`: state known to endpoints
 */
export const merge = (
  context: Context,
  contact: StoredContact,
  two: StoredContact,
): { before: StoredContact; known: StoredContact } => {
  const { sql, now } = context;
  const [kept, dropped] = contact.email === null ? [two, contact] : [contact, two];
  const [older, newer] = contact.updatedAt <= two.updatedAt ? [contact, two] : [two, contact];
  for (const { n } of [kept, dropped]) ensureRowsOf(sql, n);
  sql.exec("UPDATE events SET contact = ? WHERE contact = ?", kept.n, dropped.n);
  sweepContact(sql, dropped.n);
  mergeRuns({ sql, now }, dropped.n, kept.n);
  sql.exec("UPDATE OR IGNORE engagement SET contact = ? WHERE contact = ?", kept.n, dropped.n);
  const own = "n IN (SELECT send FROM engagement WHERE contact = ?1)";
  sql.exec(`UPDATE sends SET contact = ?1 WHERE ${own} AND contact <> ?1`, kept.n);
  // A recipient without mail stays if the campaign can still reach the kept contact. A mail moves its state along.
  sql.exec(
    `UPDATE OR IGNORE recipients SET contact = ?1, state = iif(state = 'queued', iif(${IS_SENT}, 'sent', 'in_ledger'), state)
     WHERE campaign IN (SELECT n FROM campaigns) AND contact = ?2 AND EXISTS (SELECT 1 FROM campaigns c WHERE c.n = campaign AND CASE recipients.state
       WHEN 'queued' THEN ?2 <= c.claimed_cursor
       WHEN 'skipped' THEN c.snapshot_cursor >= min(?1, coalesce(c.max_contact, 0)) ELSE 1 END)`,
    kept.n,
    dropped.n,
  );
  // A contact with disabled tracking stays untracked.
  sql.exec(
    "UPDATE contacts SET untracked = 1 WHERE n = ? AND (SELECT untracked FROM contacts WHERE n = ?) = 1",
    kept.n,
    dropped.n,
  );
  sql.exec("UPDATE OR IGNORE left_lists SET contact = ? WHERE contact = ?", kept.n, dropped.n);
  // Removed first: two contacts cannot have the same identifier.
  removeContact(context, dropped);
  const merged = {
    ...kept,
    email: kept.email ?? dropped.email,
    userId: kept.userId ?? dropped.userId,
    data: { ...mergeData(older.data, newer.data), optInStatus: kept.data.optInStatus },
    updatedAt: now,
  };
  changeRow(sql, kept, merged);
  reportMerged({ sql, now }, kept, dropped);
  return { before: merged, known: kept };
};

/** Recipients of sent mail are not rewritten; `engagement` has the mail. */
const IS_SENT = `EXISTS (SELECT 1 FROM engagement e WHERE e.contact = ?1 AND e.run = 0 AND e.sent_at IS NOT NULL
  AND e.message = (SELECT message FROM campaigns c WHERE c.n = campaign))`;

/** Runs of the other contact are renumbered with their mails. They end if the workflow allows one entry. */
const mergeRuns = ({ sql, now }: Pick<Context, "sql" | "now">, from: number, to: number): void => {
  const both = sql
    .exec<{ workflow: number; last: number }>(
      `SELECT DISTINCT workflow, (SELECT coalesce(max(seq), 0) FROM runs r WHERE r.contact = ? AND r.workflow = runs.workflow) AS last
       FROM runs WHERE contact = ?`,
      to,
      from,
    )
    .toArray();
  for (const { workflow, last } of both) {
    if (last > 0) {
      const onceOnly =
        "(SELECT graph->'$.nodes'->(graph->>'$.root')->>'reEligible' FROM workflows WHERE n = runs.workflow) IS NOT 1";
      const { length } = sql
        .exec(
          `UPDATE runs SET since = ?, wake = NULL, event = NULL, ended = 'merged'
           WHERE contact = ? AND workflow = ? AND wake IS NOT NULL AND ${onceOnly} RETURNING 1`,
          now,
          from,
          workflow,
        )
        .toArray();
      if (length > 0) {
        sql.exec(
          `INSERT INTO workflow_counts (workflow, kind, reason, count) VALUES (?, 'ended', 'merged', ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`,
          workflow,
          length,
        );
      }
    }
    const mails = "contact = ?1 AND message IN (SELECT n FROM email_messages WHERE workflow = ?2)";
    sql.exec(
      `UPDATE sends SET run = run + ?3 WHERE n IN (SELECT send FROM engagement WHERE ${mails})`,
      from,
      workflow,
      last,
    );
    sql.exec(`UPDATE engagement SET contact = ?4, run = run + ?3 WHERE ${mails}`, from, workflow, last, to);
    sql.exec(
      "UPDATE runs SET contact = ?4, seq = seq + ?3 WHERE contact = ?1 AND workflow = ?2",
      from,
      workflow,
      last,
      to,
    );
  }
};

/** A value wins over none or an empty text, newer over older. An unsubscribe always stays. */
const mergeData = (older: ContactData, newer: ContactData): ContactData => {
  const filled = <Value>(values: Record<string, Value>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  const fields = Object.entries(newer).filter(([name, value]) => value !== defaults[name as keyof ContactData]);
  return {
    ...older,
    ...filled(Object.fromEntries(fields)),
    subscribed: older.subscribed && newer.subscribed,
    mailingLists: { ...older.mailingLists, ...newer.mailingLists },
    properties: { ...newer.properties, ...older.properties, ...filled(newer.properties) },
  };
};
