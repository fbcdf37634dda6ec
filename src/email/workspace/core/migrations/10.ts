import type { Migration } from "../../../../lib/util/migrate.ts";

const IN_ANY = "('sent', 'delivered', 'bounced', 'complained')";

export const version10: Migration = {
  version: 10,
  statements: [
    // Partial index with OR, which SQLite matches to queried states. A mail that arrives writes nothing here.
    `CREATE INDEX sends_troubles ON sends (state) WHERE state = 'bounced' OR state = 'complained' OR state = 'not_sent'
       OR state = 'failed' OR state = 'unknown'`,
    // template: n of the transactional email. Kept forever, unlike its sends.
    `CREATE TABLE template_counts (
        template INTEGER PRIMARY KEY,
        sends INTEGER NOT NULL,
        hard_bounces INTEGER NOT NULL,
        soft_bounces INTEGER NOT NULL,
        spam_reports INTEGER NOT NULL
      ) STRICT`,
    `INSERT INTO template_counts
       SELECT m.template, count(*), sum(s.state = 'bounced'), 0, sum(s.state = 'complained')
       FROM sends s JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message
       WHERE s.class = 'transactional' AND s.preview = 0 AND s.state IN ${IN_ANY} AND m.template IS NOT NULL GROUP BY 1`,
    // States are set in several places; the trigger counts all of them.
    `CREATE TRIGGER sends_counted AFTER UPDATE OF state ON sends
       WHEN NEW.class = 'transactional' AND NEW.preview = 0 AND NEW.state <> OLD.state AND (
         NEW.state IN ('bounced', 'complained')
         OR NEW.state IN ('sent', 'delivered') AND OLD.state NOT IN ${IN_ANY}
         OR NEW.state = 'failed' AND OLD.state IN ('sent', 'delivered'))
       BEGIN
         INSERT INTO template_counts
           SELECT m.template, OLD.state NOT IN ${IN_ANY}, NEW.state = 'bounced', NEW.state = 'failed', NEW.state = 'complained'
           FROM message_revisions r JOIN email_messages m ON m.n = r.message
           WHERE r.n = NEW.revision AND m.template IS NOT NULL
           ON CONFLICT (template) DO UPDATE SET sends = sends + excluded.sends,
             hard_bounces = hard_bounces + excluded.hard_bounces, soft_bounces = soft_bounces + excluded.soft_bounces,
             spam_reports = spam_reports + excluded.spam_reports;
       END`,
  ],
};
