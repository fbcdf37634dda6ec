import type { Migration } from "../../../../lib/util/migrate.ts";

const COUNTED = "('sent', 'delivered', 'bounced', 'complained')";

/** A failed mail may turn out to have bounced, and a bounce may settle an unknown result. */
export const version12: Migration = {
  version: 12,
  statements: [
    "DROP TRIGGER sends_counted",
    `CREATE TRIGGER sends_counted AFTER UPDATE OF state ON sends
       WHEN NEW.class = 'transactional' AND NEW.preview = 0 AND NEW.state <> OLD.state AND (
         NEW.state IN ('bounced', 'complained')
         OR NEW.state IN ('sent', 'delivered') AND OLD.state NOT IN ${COUNTED}
         OR NEW.state = 'failed' AND OLD.state IN ('sent', 'delivered', 'unknown'))
       BEGIN
         INSERT INTO template_counts
           SELECT m.template, OLD.state NOT IN ${COUNTED} AND OLD.state <> 'failed', NEW.state = 'bounced',
             (NEW.state = 'failed') - (OLD.state = 'failed' AND NEW.state = 'bounced'), NEW.state = 'complained'
           FROM message_revisions r JOIN email_messages m ON m.n = r.message
           WHERE r.n = NEW.revision AND m.template IS NOT NULL
           ON CONFLICT (template) DO UPDATE SET sends = sends + excluded.sends,
             hard_bounces = hard_bounces + excluded.hard_bounces,
             soft_bounces = max(0, soft_bounces + excluded.soft_bounces),
             spam_reports = spam_reports + excluded.spam_reports;
       END`,
  ],
};
