export const sendingStatements: readonly string[] = [
  // segment_filter: JSON at launch. released: JSON of mail counts at a resume after a rate hold, by reason. pass:
  // sliced work on all recipients up to pass_cursor. pass_at: Unix ms. It stays 'cancel' until no mail is in flight.
  "ALTER TABLE campaigns ADD COLUMN segment_filter TEXT",
  "ALTER TABLE campaigns ADD COLUMN released TEXT",
  "ALTER TABLE campaigns ADD COLUMN pass TEXT CHECK (pass IN ('cancel', 'retry'))",
  "ALTER TABLE campaigns ADD COLUMN pass_cursor INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE campaigns ADD COLUMN pass_at INTEGER",
  // moving_since: Unix ms. moved: mails with a result by then.
  "ALTER TABLE campaigns ADD COLUMN moving_since INTEGER",
  "ALTER TABLE campaigns ADD COLUMN moved INTEGER NOT NULL DEFAULT 0",
  // confirmed: recipients confirmed by a person at launch. ready: the compared count at the start.
  "ALTER TABLE campaigns ADD COLUMN confirmed INTEGER",
  "ALTER TABLE campaigns ADD COLUMN ready INTEGER NOT NULL DEFAULT 0",
  // refusals: JSON of consecutive refusals that may concern all mails of the sender.
  "ALTER TABLE campaigns ADD COLUMN refusals TEXT",
  "CREATE INDEX campaigns_passes ON campaigns (n) WHERE pass IS NOT NULL",

  // Accepted mails are counted only with their message; campaign columns sent, failed, unknown and in_ledger stay 0.
  // refused: hard bounces at handover. cancelled: of not_sent. deferred: waiting after an attempt.
  "ALTER TABLE message_counts ADD COLUMN refused INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE message_counts ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE message_counts ADD COLUMN deferred INTEGER NOT NULL DEFAULT 0",
  "DROP TRIGGER marketing_counted",
  // run is 0 in campaign mails.
  `CREATE TRIGGER marketing_counted AFTER UPDATE OF state ON sends
     WHEN NEW.class = 'marketing' AND NEW.preview = 0 AND NEW.state <> OLD.state AND (
       NEW.state IN ('bounced', 'complained', 'failed', 'not_sent', 'unknown') OR OLD.state IN ('failed', 'not_sent', 'unknown')
       OR NEW.state IN ('sent', 'delivered') AND OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained')
       OR NEW.run = 0 AND (NEW.state = 'queued' AND NEW.attempts > 0 OR OLD.state = 'queued' AND OLD.attempts > 0))
     BEGIN
       INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, settled, not_sent, failed, unknown,
           refused, cancelled, deferred)
         SELECT r.message,
           (NEW.state IN ('sent', 'delivered', 'bounced', 'complained') OR NEW.state = 'failed' AND OLD.state = 'unknown')
             AND OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained', 'failed'),
           NEW.state = 'bounced',
           (NEW.state = 'failed' AND OLD.state IN ('sent', 'delivered', 'unknown')) - (OLD.state = 'failed' AND NEW.state = 'bounced'),
           NEW.state = 'complained', 0,
           (NEW.state NOT IN ('queued', 'sending')) - (OLD.state NOT IN ('queued', 'sending')),
           (NEW.state = 'not_sent') - (OLD.state = 'not_sent'), (NEW.state = 'failed') - (OLD.state = 'failed'),
           (NEW.state = 'unknown') - (OLD.state = 'unknown'),
           NEW.state = 'bounced' AND OLD.state IN ('queued', 'sending') AND NEW.sender IS NOT NULL,
           NEW.state = 'not_sent' AND NEW.error IS 'campaign_cancelled',
           iif(NEW.run = 0, (NEW.state = 'queued' AND NEW.attempts > 0) - (OLD.state = 'queued' AND OLD.attempts > 0), 0)
         FROM message_revisions r WHERE r.n = NEW.revision
         ON CONFLICT (message) DO UPDATE SET sends = sends + excluded.sends,
           hard_bounces = hard_bounces + excluded.hard_bounces,
           soft_bounces = max(0, soft_bounces + excluded.soft_bounces),
           spam_reports = spam_reports + excluded.spam_reports,
           settled = settled + excluded.settled, not_sent = not_sent + excluded.not_sent,
           failed = failed + excluded.failed, unknown = unknown + excluded.unknown,
           refused = refused + excluded.refused, cancelled = cancelled + excluded.cancelled,
           deferred = deferred + excluded.deferred;
     END`,

  // A mail result settles its recipient in the same transaction. A mail sent again waits again.
  `CREATE TRIGGER recipient_settled AFTER UPDATE OF state ON sends
     WHEN NEW.run = 0 AND NEW.state <> OLD.state AND NEW.state <> 'sending' AND (NEW.state <> 'queued' OR OLD.state = 'unknown')
       AND NEW.preview = 0 AND substr(NEW.origin, 1, 4) = 'cmp_'
     BEGIN
       UPDATE recipients SET
         state = CASE NEW.state WHEN 'not_sent' THEN iif(NEW.error IS 'campaign_cancelled', 'cancelled', 'skipped')
           WHEN 'queued' THEN 'in_ledger' ELSE NEW.state END,
         reason = iif(NEW.state IN ('not_sent', 'failed', 'bounced', 'unknown'), substr(NEW.error, 1, 200), NULL),
         send = NEW.n, settled_at = NEW.settled_at
       WHERE campaign = (SELECT n FROM campaigns WHERE id = NEW.origin) AND contact = NEW.contact;
     END`,
  "DROP TRIGGER recipient_deleted",
  // A deleted recipient without mail counts as skipped. One in sends counts there.
  `CREATE TRIGGER recipient_deleted AFTER DELETE ON recipients WHEN OLD.state = 'queued'
     BEGIN
       UPDATE campaigns SET queued = queued - 1, skipped = skipped + 1 WHERE n = OLD.campaign AND claimed_cursor < OLD.contact;
     END`,
];
