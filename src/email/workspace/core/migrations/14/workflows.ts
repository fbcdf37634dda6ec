/** The part of version 14 for workflows: their groups, versions, runs and messages. */
export const workflowStatements: readonly string[] = [
  // Groups of workflows too. reserved: 1 for the group of those that name none; it cannot be changed.
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
  // n is that of no other group: theirs are microseconds.
  `INSERT INTO content_groups SELECT 1, 'grp_' || lower(hex(randomblob(10))), 'workflow', 'Unsorted', '', created_at, created_at, 1 FROM team`,

  // Workflows. content_group: n of its group. list: id of its mailing list. paused_at: Unix ms of the last pause. graph: JSON of
  // its nodes. deleted_at: set when it is deleted; the row is kept until its waiting runs are gone, others for ever.
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
  // number: 1, 2, 3 … within a workflow. ran: 1 for a version that contacts have gone through; these are kept as long as the
  // workflow, of the others the last 50.
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
  // One passage of one contact through one workflow. node: k of the node where it rests. since: Unix ms of its arrival there.
  // wake: Unix ms; NULL when it has ended. path: JSON of its nodes. event: JSONB of the properties of the event that started it.
  // ended: why it has ended. Kept as long as its contact: it says that the contact has been in the workflow.
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
  // workflow, node: of a message that a node of a workflow sends. removed_at: when that node was deleted; the message stays.
  "ALTER TABLE email_messages ADD COLUMN workflow INTEGER",
  "ALTER TABLE email_messages ADD COLUMN node TEXT",
  "ALTER TABLE email_messages ADD COLUMN removed_at INTEGER",
  "CREATE INDEX email_messages_workflow ON email_messages (workflow) WHERE workflow IS NOT NULL",
  // Marketing mails of a message, by what happened to them, and contacts that left by their links. Kept for ever, because the sends are not.
  `CREATE TABLE message_counts (
      message INTEGER PRIMARY KEY,
      sends INTEGER NOT NULL,
      hard_bounces INTEGER NOT NULL,
      soft_bounces INTEGER NOT NULL,
      spam_reports INTEGER NOT NULL,
      unsubscribes INTEGER NOT NULL
    ) STRICT`,
  // As the counts of transactional emails are kept.
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

  // What starts a workflow, computed from its graph: a write to a contact looks here. trigger_name: of the event or the contact
  // property, or id of the mailing list.
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
  // How far the daily purge of old runs has come, and when it goes on, in Unix ms. It has one row, or none before the first purge.
  `CREATE TABLE run_purge (
      contact INTEGER NOT NULL,
      workflow INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      due INTEGER NOT NULL
    ) STRICT`,
];
