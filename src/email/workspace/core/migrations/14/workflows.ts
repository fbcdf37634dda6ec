export const workflowStatements: readonly string[] = [
  // reserved: 1 for the default group, which cannot be changed.
  "ALTER TABLE content_groups RENAME TO content_groups_before",
  "DROP INDEX content_groups_kind",
  `CREATE TABLE content_groups (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('campaign', 'transactional', 'workflow')),
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      reserved INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
  `INSERT INTO content_groups SELECT n, id, kind, name, description, created_at, updated_at, 0 FROM content_groups_before`,
  "DROP TABLE content_groups_before",
  "CREATE INDEX content_groups_kind ON content_groups (kind, n)",
  // n is unique: other groups use microseconds.
  `INSERT INTO content_groups SELECT 1, 'grp_' || lower(hex(randomblob(10))), 'workflow', 'Unsorted', '', created_at, created_at, 1 FROM team`,

  // list: id. paused_at: Unix ms of the last pause. graph: JSON. Deleted rows are kept until waiting runs are gone,
  // others forever.
  `CREATE TABLE workflows (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      content_group INTEGER NOT NULL,
      list TEXT,
      status TEXT NOT NULL CHECK (status IN ('Draft', 'Sending', 'Paused', 'PausedAndQueueing')),
      paused_at INTEGER,
      revision TEXT NOT NULL,
      graph TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT`,
  // number: 1, 2, 3 … per workflow. Versions with ran = 1 are kept with the workflow, of others the last 50.
  `CREATE TABLE workflow_versions (
      workflow INTEGER NOT NULL,
      number INTEGER NOT NULL,
      revision TEXT NOT NULL,
      at INTEGER NOT NULL,
      list TEXT,
      graph TEXT NOT NULL,
      ran INTEGER NOT NULL,
      PRIMARY KEY (workflow, number)
    ) STRICT, WITHOUT ROWID`,
  // node: k of the resting node. since, wake: Unix ms; wake is NULL at the end. path: JSON. event: JSONB. ended: the
  // reason. Kept as long as the contact.
  `CREATE TABLE runs (
      contact INTEGER NOT NULL,
      workflow INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      node INTEGER NOT NULL,
      since INTEGER NOT NULL,
      wake INTEGER,
      entered_at INTEGER NOT NULL,
      path TEXT NOT NULL,
      event BLOB,
      ended TEXT,
      PRIMARY KEY (contact, workflow, seq)
    ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX runs_due ON runs (workflow, wake, node) WHERE wake IS NOT NULL",
  // removed_at: deletion of the node; the message stays.
  "ALTER TABLE email_messages ADD COLUMN workflow INTEGER",
  "ALTER TABLE email_messages ADD COLUMN node TEXT",
  "ALTER TABLE email_messages ADD COLUMN removed_at INTEGER",
  "CREATE INDEX email_messages_workflow ON email_messages (workflow) WHERE workflow IS NOT NULL",
  // Kept forever, unlike the sends.
  `CREATE TABLE message_counts (
      message INTEGER PRIMARY KEY,
      sends INTEGER NOT NULL,
      hard_bounces INTEGER NOT NULL,
      soft_bounces INTEGER NOT NULL,
      spam_reports INTEGER NOT NULL,
      unsubscribes INTEGER NOT NULL
    ) STRICT`,
  `CREATE TRIGGER marketing_counted AFTER UPDATE OF state ON sends
     WHEN NEW.class = 'marketing' AND NEW.preview = 0 AND NEW.state <> OLD.state AND (
       NEW.state IN ('bounced', 'complained')
       OR NEW.state IN ('sent', 'delivered') AND OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained')
       OR NEW.state = 'failed' AND OLD.state IN ('sent', 'delivered', 'unknown'))
     BEGIN
       INSERT INTO message_counts
         SELECT r.message, OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained', 'failed'), NEW.state = 'bounced',
           (NEW.state = 'failed') - (OLD.state = 'failed' AND NEW.state = 'bounced'), NEW.state = 'complained', 0
         FROM message_revisions r WHERE r.n = NEW.revision
         ON CONFLICT (message) DO UPDATE SET sends = sends + excluded.sends,
           hard_bounces = hard_bounces + excluded.hard_bounces,
           soft_bounces = max(0, soft_bounces + excluded.soft_bounces),
           spam_reports = spam_reports + excluded.spam_reports;
     END`,

  // trigger_name: event, property, or mailing list id.
  `ALTER TABLE workflows ADD COLUMN trigger_type TEXT
     GENERATED ALWAYS AS (graph->'$.nodes'->(graph->>'$.root')->>'typeName') VIRTUAL`,
  `ALTER TABLE workflows ADD COLUMN trigger_name TEXT
     GENERATED ALWAYS AS (CASE graph->'$.nodes'->(graph->>'$.root')->>'typeName'
       WHEN 'EventTrigger' THEN graph->'$.nodes'->(graph->>'$.root')->>'eventName'
       WHEN 'ContactPropertyTrigger' THEN graph->'$.nodes'->(graph->>'$.root')->'contactPropertyQuery'->>'key'
       WHEN 'AddToListTrigger' THEN list
       ELSE '' END) VIRTUAL`,
  "CREATE INDEX workflows_trigger ON workflows (trigger_type, trigger_name)",
  "DROP TABLE triggers",
  // Progress of the daily purge. At most one row.
  `CREATE TABLE run_purge (
      contact INTEGER NOT NULL,
      workflow INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      due INTEGER NOT NULL
    ) STRICT`,
];
