/** Workflow counts outlive runs and sends. */
export const countStatements: readonly string[] = [
  // 'ended': runs by end reason. 'dropped': triggered contacts that did not enter. Kept as long as the workflow.
  `CREATE TABLE workflow_counts (
      workflow INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('ended', 'dropped')),
      reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (workflow, kind, reason)
    ) STRICT, WITHOUT ROWID`,
  "INSERT INTO workflow_counts SELECT workflow, 'ended', ended, count(*) FROM runs WHERE ended IS NOT NULL GROUP BY workflow, ended",
  // settled: accepted mails that no longer wait, including not_sent, failed and unknown.
  "ALTER TABLE message_counts ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE message_counts ADD COLUMN settled INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE message_counts ADD COLUMN not_sent INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE message_counts ADD COLUMN failed INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE message_counts ADD COLUMN unknown INTEGER NOT NULL DEFAULT 0",
  "UPDATE message_counts SET accepted = sends, settled = sends",
  "DROP TRIGGER marketing_counted",
  // A mail that waits or is with a Mailer is not settled.
  `CREATE TRIGGER marketing_counted AFTER UPDATE OF state ON sends
     WHEN NEW.class = 'marketing' AND NEW.preview = 0 AND NEW.state <> OLD.state AND (
       NEW.state IN ('bounced', 'complained', 'failed', 'not_sent', 'unknown') OR OLD.state IN ('failed', 'not_sent', 'unknown')
       OR NEW.state IN ('sent', 'delivered') AND OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained'))
     BEGIN
       INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, settled, not_sent, failed, unknown)
         SELECT r.message,
           (NEW.state IN ('sent', 'delivered', 'bounced', 'complained') OR NEW.state = 'failed' AND OLD.state = 'unknown')
             AND OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained', 'failed'),
           NEW.state = 'bounced',
           (NEW.state = 'failed' AND OLD.state IN ('sent', 'delivered', 'unknown')) - (OLD.state = 'failed' AND NEW.state = 'bounced'),
           NEW.state = 'complained', 0,
           (NEW.state NOT IN ('queued', 'sending')) - (OLD.state NOT IN ('queued', 'sending')),
           (NEW.state = 'not_sent') - (OLD.state = 'not_sent'), (NEW.state = 'failed') - (OLD.state = 'failed'),
           (NEW.state = 'unknown') - (OLD.state = 'unknown')
         FROM message_revisions r WHERE r.n = NEW.revision
         ON CONFLICT (message) DO UPDATE SET sends = sends + excluded.sends,
           hard_bounces = hard_bounces + excluded.hard_bounces,
           soft_bounces = max(0, soft_bounces + excluded.soft_bounces),
           spam_reports = spam_reports + excluded.spam_reports,
           settled = settled + excluded.settled, not_sent = not_sent + excluded.not_sent,
           failed = failed + excluded.failed, unknown = unknown + excluded.unknown;
     END`,
];
