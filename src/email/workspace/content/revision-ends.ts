import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";

/** Edits that can be shown and restored, per message or transactional email. */
const EDITS = 50;

/** Rows a call: an edit adds one, so more are seldom left. */
const SLICE = 20;

/** `n` of the messages with a common history. */
const OWN = `WITH own AS (SELECT o.n, o.revision, o.template IS NULL OR o.n IN (t.draft_message, t.published_message) AS stays, t.published
  FROM email_messages m JOIN email_messages o ON o.n = m.n OR (m.template IS NOT NULL AND o.template = m.template)
  LEFT JOIN templates t ON t.n = o.template WHERE m.n = ?1)`;

/** Revisions that are shown, sent, or named by a mail. Revisions of one source share the id of its edit. */
const IN_USE = `SELECT revision FROM own WHERE stays UNION ALL SELECT published FROM own WHERE published IS NOT NULL
  UNION ALL SELECT content FROM message_revisions WHERE n IN (SELECT revision FROM own WHERE stays) AND content IS NOT NULL
  UNION ALL SELECT content FROM message_revisions WHERE n IN (SELECT published FROM own) AND content IS NOT NULL`;

/** Deletes old revisions of a message and of those with the same history, at most 20. `message`: n of its row. */
export const endRevisions = (sql: SqlStorage, message: number): void => {
  const deleted = sql.exec(
    `${OWN}, old AS (
       SELECT * FROM (SELECT n FROM message_revisions WHERE content IS NULL AND message IN (SELECT n FROM own)
         ORDER BY n DESC LIMIT -1 OFFSET ${EDITS})
       UNION ALL SELECT n FROM message_revisions WHERE content IS NOT NULL AND message IN (SELECT n FROM own))
     DELETE FROM message_revisions WHERE n IN (
       SELECT n FROM old WHERE n NOT IN (${IN_USE}) AND n NOT IN (SELECT revision FROM revision_uses) ORDER BY n LIMIT ${SLICE})
     RETURNING message`,
    message,
  );
  if (deleted.toArray().length === 0) return;
  sql.exec(
    `${OWN} DELETE FROM email_messages WHERE n IN (SELECT n FROM own WHERE NOT stays)
       AND NOT EXISTS (SELECT 1 FROM message_revisions WHERE message = email_messages.n AND content IS NULL)
       AND NOT EXISTS (SELECT 1 FROM message_revisions WHERE message = email_messages.n AND content IS NOT NULL)`,
    message,
  );
};

/** A mail may name a revision for a day longer than `used_at` says. */
const USED_MS = RETENTION_MS + DAY_MS;

/** Ends the uses of revisions that no mail names any longer, then those revisions. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => firstTime(sql, "SELECT min(used_at) AS at FROM revision_uses") + USED_MS + DAY_MS,
    run: (sql, now) => {
      const uses = sql
        .exec<{ revision: number; used_at: number }>(
          "SELECT revision, used_at FROM revision_uses WHERE used_at <= ? LIMIT ?",
          now - USED_MS - DAY_MS,
          SLICE,
        )
        .toArray();
      if (uses.length === 0) return;
      const oldest = firstTime(sql, "SELECT (SELECT created_at FROM sends ORDER BY n LIMIT 1) AS at");
      for (const { revision, used_at } of uses) {
        if (used_at + DAY_MS < oldest) end(sql, revision);
        // An old mail waits, perhaps this one: look again tomorrow.
        else sql.exec("UPDATE revision_uses SET used_at = ? WHERE revision = ?", now - USED_MS, revision);
      }
    },
  },
];

const end = (sql: SqlStorage, revision: number): void => {
  sql.exec("DELETE FROM revision_uses WHERE revision = ?", revision);
  const [found] = sql
    .exec<{ message: number }>("SELECT message FROM message_revisions WHERE n = ?", revision)
    .toArray();
  if (found) endRevisions(sql, found.message);
};
