import { migrate, type Schema } from "../../../lib/util/migrate.ts";

// JSONB for properties and WITHOUT ROWID only for small rows serve a million contacts.
const version100 = `
-- send_per_*: mails per second, hour and day; NULL for no limit. from_email: the part before the @.
-- last_*: largest deleted row number, never reused; 0 if none. Kept forever.
CREATE TABLE team (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  create_properties INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  attachments INTEGER NOT NULL DEFAULT 0,
  double_opt_in INTEGER NOT NULL DEFAULT 0,
  tracking INTEGER NOT NULL DEFAULT 1,
  postal_address TEXT,
  send_per_second INTEGER,
  send_per_hour INTEGER,
  send_per_day INTEGER,
  last_contact INTEGER NOT NULL DEFAULT 0,
  from_name TEXT,
  from_email TEXT,
  reply_to_email TEXT,
  footer TEXT,
  last_message INTEGER NOT NULL DEFAULT 0,
  last_revision INTEGER NOT NULL DEFAULT 0
) STRICT;

-- id: public name. prefix: first characters. hash: SHA-256 of the key in hex. last_used_at: Unix ms, at most an hour
-- before the last use. Kept forever, even if revoked.
CREATE TABLE api_keys (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  id TEXT NOT NULL DEFAULT '',
  prefix TEXT,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

-- hits: JSON array of Unix ms. One row per window, overwritten.
CREATE TABLE rate (name TEXT PRIMARY KEY, hits TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- day: Unix day of at. Kept 24 h. It leads the key, so the purge reads a range.
CREATE TABLE idempotency (
  day INTEGER NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (day, operation, key)
) STRICT, WITHOUT ROWID;

-- result: JSON without contacts. at: Unix ms.
CREATE TABLE kept_counts (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- email_key: lower-cased with an A-label domain. Kept until the contact is deleted. data: JSONB of firstName,
-- lastName, source, subscribed, userGroup, optInStatus, mailingLists, properties.
CREATE TABLE contacts (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  email TEXT,
  email_key TEXT UNIQUE,
  user_id TEXT,
  data BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  untracked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX contacts_user_id ON contacts (user_id) WHERE user_id IS NOT NULL;
CREATE TRIGGER newest_contact_deleted AFTER DELETE ON contacts WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM contacts)
  BEGIN
    UPDATE team SET last_contact = OLD.n WHERE last_contact < OLD.n;
  END;

-- Custom properties. Kept until removed.
CREATE TABLE properties (
  name TEXT PRIMARY KEY,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('string', 'number', 'boolean', 'date')),
  created_at INTEGER NOT NULL,
  description TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- Deleted properties with values still being erased. after: last processed contact row.
CREATE TABLE removed_properties (name TEXT PRIMARY KEY, after INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- archived_at: Unix ms; NULL while active. Kept forever.
CREATE TABLE mailing_lists (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
  created_at INTEGER NOT NULL,
  archived_at INTEGER
) STRICT, WITHOUT ROWID;

-- Lists that a contact left: imports never add it again. Kept until it rejoins or is deleted.
CREATE TABLE left_lists (
  contact INTEGER NOT NULL,
  list TEXT NOT NULL,
  PRIMARY KEY (contact, list)
) STRICT, WITHOUT ROWID;

-- types: JSON object of property name to first value type. received: 1 after the first event. Kept forever.
CREATE TABLE event_patterns (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  name TEXT NOT NULL UNIQUE,
  types TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  received INTEGER NOT NULL DEFAULT 0
) STRICT;

-- n increases with time. Kept 30 days, or until the contact is deleted.
CREATE TABLE events (
  n INTEGER PRIMARY KEY,
  contact INTEGER NOT NULL,
  pattern INTEGER NOT NULL,
  properties BLOB NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_contact ON events (contact);

-- Kept until removed by hand.
CREATE TABLE suppressions (
  email_key TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('bounce', 'complaint', 'manual')),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per removal in the quota. Kept 30 days.
CREATE TABLE suppression_removals (n INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;

-- first_at, last_at: Unix ms of the first and last bounce. Kept 30 days after it.
CREATE TABLE soft_bounces (
  email_key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX soft_bounces_last ON soft_bounces (last_at);

-- name_key: NFC, lower case. filter: JSON, without contacts. Kept until deleted.
CREATE TABLE segments (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT,
  filter TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- styles: JSON of non-default values. is_default: 1 for the theme of messages without one. Kept until deleted.
CREATE TABLE themes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  styles TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Kept until deleted.
CREATE TABLE components (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  lmx TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- reserved: 1 for the default groups, which cannot be changed. Kept until deleted.
CREATE TABLE content_groups (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('campaign', 'transactional', 'workflow')),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  reserved INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX content_groups_kind ON content_groups (kind, n);

-- Transactional emails. published: n of the revision that a send reads; NULL for a draft. Kept forever.
CREATE TABLE templates (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  published INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  draft_message INTEGER,
  published_message INTEGER,
  content_group INTEGER
) STRICT;

-- template, workflow, campaign: n of the owner. revision: n of the content, new with each edit.
-- removed_at: deletion of the workflow's node; the message stays. Kept forever.
CREATE TABLE email_messages (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  template INTEGER,
  revision INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  workflow INTEGER,
  node TEXT,
  removed_at INTEGER,
  campaign INTEGER
) STRICT;
CREATE INDEX email_messages_workflow ON email_messages (workflow) WHERE workflow IS NOT NULL;
CREATE TRIGGER newest_message_deleted AFTER DELETE ON email_messages WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM email_messages)
  BEGIN
    UPDATE team SET last_message = OLD.n WHERE last_message < OLD.n;
  END;

-- source, compiled: JSON. Immutable, kept forever: sends name their revision.
-- content: n of the revision with the same source; NULL: this one.
CREATE TABLE message_revisions (
  n INTEGER PRIMARY KEY,
  message INTEGER NOT NULL,
  source TEXT NOT NULL,
  compiled TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  content INTEGER
) STRICT;
-- Theme and component changes are no edits, so they are not indexed.
CREATE INDEX message_revisions_edits ON message_revisions (message) WHERE content IS NULL;
CREATE TRIGGER newest_revision_deleted AFTER DELETE ON message_revisions WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM message_revisions)
  BEGIN
    UPDATE team SET last_revision = OLD.n WHERE last_revision < OLD.n;
  END;

-- used: theme or component id in the content. Kept while the message is a draft or is sent.
CREATE TABLE message_uses (
  used TEXT NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (used, message)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_uses_message ON message_uses (message);

-- Messages to compile again after a change of a theme or component.
CREATE TABLE stale_messages (message INTEGER PRIMARY KEY) STRICT;

-- reason: why the message kept its content. Kept until it is compiled again or replaced.
CREATE TABLE kept_messages (message INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT;

-- file: name in the bucket and public address.
-- expires_at: NULL when completed; otherwise row and file are deleted then.
CREATE TABLE uploads (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  file TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  arrived_at INTEGER,
  completed_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE INDEX uploads_expires ON uploads (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX uploads_completed ON uploads (completed_at) WHERE completed_at IS NOT NULL;

-- Mails. n increases with time and is part of id. Settled rows are kept 30 days.
CREATE TABLE sends (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('transactional', 'marketing')),
  revision INTEGER NOT NULL, -- n of the content
  recipient TEXT NOT NULL,
  recipient_key TEXT NOT NULL, -- lower-cased with an A-label domain
  message_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN (
    'queued', 'sending', 'sent', 'delivered', 'bounced', 'complained', 'not_sent', 'failed', 'unknown'
  )),
  attempts INTEGER NOT NULL,
  due INTEGER, -- Unix ms of the next alarm; NULL once settled
  mailer TEXT, -- last claimant
  sender TEXT,
  reply TEXT, -- words of the mail provider
  error TEXT,
  variables TEXT, -- JSON, erased when settled
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  preview INTEGER NOT NULL, -- 1: excluded from statistics
  attachments INTEGER NOT NULL DEFAULT 0, -- number of files
  contact INTEGER, -- marketing only, as the next three. n; NULL once deleted
  list TEXT, -- id
  origin TEXT, -- id of the campaign or workflow
  run INTEGER, -- seq of the workflow run, else 0
  may_leave_at INTEGER, -- Unix ms, start of the 24 hours of a limited mail; NULL: created_at
  dated_at INTEGER, -- Unix ms, Date of the newest attempt
  idempotency_key TEXT -- of the accepting request; erased with the person
) STRICT;
CREATE INDEX sends_previews ON sends (created_at) WHERE preview = 1;
CREATE INDEX sends_due ON sends (class, due) WHERE due IS NOT NULL;
CREATE INDEX sends_recipient ON sends (recipient_key);
-- Sends settle in several places; the trigger always erases attachments.
CREATE TRIGGER send_attachments_erase AFTER UPDATE OF due ON sends WHEN NEW.due IS NULL AND NEW.attachments > 0
  BEGIN DELETE FROM send_attachments WHERE send = NEW.n; END;
-- Partial index with OR, which SQLite matches to queried states. A mail that arrives writes nothing here.
CREATE INDEX sends_troubles ON sends (state) WHERE state = 'bounced' OR state = 'complained' OR state = 'not_sent'
  OR state = 'failed' OR state = 'unknown';
-- States are set in several places; the triggers count all of them. A failed mail may turn out to have bounced,
-- and a bounce may settle an unknown result.
CREATE TRIGGER sends_counted AFTER UPDATE OF state ON sends
  WHEN NEW.class = 'transactional' AND NEW.preview = 0 AND NEW.state <> OLD.state AND (
    NEW.state IN ('bounced', 'complained')
    OR NEW.state IN ('sent', 'delivered') AND OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained')
    OR NEW.state = 'failed' AND OLD.state IN ('sent', 'delivered', 'unknown'))
  BEGIN
    INSERT INTO template_counts (template, sends, hard_bounces, soft_bounces, spam_reports)
      SELECT m.template, OLD.state NOT IN ('sent', 'delivered', 'bounced', 'complained') AND OLD.state <> 'failed', NEW.state = 'bounced',
        (NEW.state = 'failed') - (OLD.state = 'failed' AND NEW.state = 'bounced'), NEW.state = 'complained'
      FROM message_revisions r JOIN email_messages m ON m.n = r.message
      WHERE r.n = NEW.revision AND m.template IS NOT NULL
      ON CONFLICT (template) DO UPDATE SET sends = sends + excluded.sends,
        hard_bounces = hard_bounces + excluded.hard_bounces,
        soft_bounces = max(0, soft_bounces + excluded.soft_bounces),
        spam_reports = spam_reports + excluded.spam_reports;
  END;
-- Mails with an unknown result count as sent.
CREATE TRIGGER engagement_sent AFTER UPDATE OF state ON sends
  WHEN NEW.contact IS NOT NULL AND NEW.state <> OLD.state
    AND NEW.state IN ('sent', 'delivered', 'bounced', 'complained', 'unknown')
  BEGIN
    UPDATE engagement SET sent_at = coalesce(NEW.settled_at, NEW.created_at)
    WHERE contact = NEW.contact AND run = NEW.run AND sent_at IS NULL
      AND message = (SELECT message FROM message_revisions WHERE n = NEW.revision);
  END;
-- Mails that wait or are with a Mailer are not settled. run is 0 in campaign mails.
CREATE TRIGGER marketing_counted AFTER UPDATE OF state ON sends
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
  END;
-- Results of a mail settle its recipient in the same transaction. A mail sent again waits again.
CREATE TRIGGER recipient_settled AFTER UPDATE OF state ON sends
  WHEN NEW.run = 0 AND NEW.state <> OLD.state AND NEW.state <> 'sending' AND (NEW.state <> 'queued' OR OLD.state = 'unknown')
    AND NEW.preview = 0 AND substr(NEW.origin, 1, 4) = 'cmp_'
  BEGIN
    UPDATE recipients SET
      state = CASE NEW.state WHEN 'not_sent' THEN iif(NEW.error IS 'campaign_cancelled', 'cancelled', 'skipped')
        WHEN 'queued' THEN 'in_ledger' ELSE NEW.state END,
      reason = iif(NEW.state IN ('not_sent', 'failed', 'bounced', 'unknown'), substr(NEW.error, 1, 200), NULL),
      send = NEW.n, settled_at = NEW.settled_at
    WHERE campaign = (SELECT n FROM campaigns WHERE id = NEW.origin) AND contact = NEW.contact;
  END;

-- Events of a mail besides success at the first attempt. detail: JSON. Kept as long as the send.
CREATE TABLE send_events (
  send INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (send, at, kind)
) STRICT, WITHOUT ROWID;

-- part: piece number, because a row has at most 2 MB. Kept until the send is settled.
CREATE TABLE send_attachments (
  send INTEGER NOT NULL,
  position INTEGER NOT NULL,
  part INTEGER NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (send, position, part)
) STRICT, WITHOUT ROWID;

-- Hits on the picture (link 0) and links, by visitor kind. url: without query. Counts end at 100.
-- Kept until the send or contact is deleted.
CREATE TABLE send_hits (
  send INTEGER NOT NULL,
  link INTEGER NOT NULL,
  url TEXT NOT NULL,
  human INTEGER NOT NULL,
  human_at INTEGER,
  proxy INTEGER NOT NULL,
  proxy_at INTEGER,
  prefetch INTEGER NOT NULL,
  prefetch_at INTEGER,
  scanner INTEGER NOT NULL,
  scanner_at INTEGER,
  PRIMARY KEY (send, link)
) STRICT, WITHOUT ROWID;

-- One row per marketing mail prevents a second mail of a message to a contact. contact, message, send: n. Times:
-- Unix ms. Kept until the contact is deleted, because filters ask who never got a message.
CREATE TABLE engagement (
  contact INTEGER NOT NULL,
  message INTEGER NOT NULL,
  run INTEGER NOT NULL,
  send INTEGER NOT NULL,
  sent_at INTEGER,
  opened_at INTEGER,
  clicked_at INTEGER,
  unsubscribed_at INTEGER,
  PRIMARY KEY (contact, message, run)
) STRICT, WITHOUT ROWID;

-- template: n of the transactional email. Kept forever, unlike its sends.
CREATE TABLE template_counts (
  template INTEGER PRIMARY KEY,
  sends INTEGER NOT NULL,
  hard_bounces INTEGER NOT NULL,
  soft_bounces INTEGER NOT NULL,
  spam_reports INTEGER NOT NULL
) STRICT;

-- settled: accepted mails that no longer wait, including not_sent, failed and unknown. refused: hard bounces at
-- handover. cancelled: of not_sent. deferred: waiting after an attempt. Kept forever, unlike the sends.
CREATE TABLE message_counts (
  message INTEGER PRIMARY KEY,
  sends INTEGER NOT NULL,
  hard_bounces INTEGER NOT NULL,
  soft_bounces INTEGER NOT NULL,
  spam_reports INTEGER NOT NULL,
  unsubscribes INTEGER NOT NULL,
  accepted INTEGER NOT NULL DEFAULT 0,
  settled INTEGER NOT NULL DEFAULT 0,
  not_sent INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  deferred INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Kept forever, unlike the sends.
CREATE TABLE message_engagement (
  message INTEGER PRIMARY KEY,
  opened INTEGER NOT NULL,
  clicked INTEGER NOT NULL,
  prefetched INTEGER NOT NULL,
  scanned INTEGER NOT NULL
) STRICT;

-- url: without query; '' for addresses that differ per recipient. clicks, people: by people. robots: mails opened
-- by programs. Kept as long as the campaign, unlike sends; names no contact.
CREATE TABLE link_counts (
  message INTEGER NOT NULL,
  url TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  people INTEGER NOT NULL,
  robots INTEGER NOT NULL,
  PRIMARY KEY (message, url)
) STRICT, WITHOUT ROWID;

-- name: A-labels, lower case. since: start of the state. failing_since: first failed check. next_check: NULL when
-- checks ended. Times: Unix ms. findings: JSON of the last check. Kept until deleted.
CREATE TABLE domains (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('pending', 'verified', 'warning', 'failing')),
  since INTEGER NOT NULL,
  failing_since INTEGER,
  is_default INTEGER NOT NULL,
  checked_at INTEGER,
  next_check INTEGER,
  findings TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- sealed_key: encrypted with DKIM_KEY_SECRET; NULL once retired. Retired keys are kept 7 days.
CREATE TABLE dkim_keys (
  domain INTEGER NOT NULL,
  selector TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('next', 'active', 'retired')),
  public_key TEXT NOT NULL,
  sealed_key TEXT,
  created_at INTEGER NOT NULL,
  retired_at INTEGER,
  PRIMARY KEY (domain, selector)
) STRICT, WITHOUT ROWID;

-- Learned ceilings and open breakers, as JSON. kept_until: Unix ms. A ceiling ends 6 hours after the last
-- throttling, a breaker when the mail provider answers.
CREATE TABLE limits (
  name TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- step: of the schedule. day: UTC day of the counts. Kept until the domain is warm or deleted.
CREATE TABLE warmups (
  name TEXT PRIMARY KEY,
  step INTEGER NOT NULL,
  day INTEGER NOT NULL,
  marketing INTEGER NOT NULL,
  transactional INTEGER NOT NULL,
  caps_transactional INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails claimed while a limit was set. at: Unix ms. Old rows are merged. Kept one day.
CREATE TABLE claimed_mails (at INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;

-- events: JSON array of types; empty means all. previous_secret also signs until previous_until. failing_since,
-- failures: since the last success. Kept until deleted_at is set and all deliveries are gone.
CREATE TABLE webhook_endpoints (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until INTEGER,
  disabled_reason TEXT CHECK (disabled_reason IN ('manual', 'gone', 'failing')),
  disabled_at INTEGER,
  failing_since INTEGER,
  failures INTEGER NOT NULL,
  resume_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;

-- n increases with time and is part of id. payload: JSON; NULL once its person is erased or contact deleted.
-- contact: id of the subject, not a mail recipient. Kept 30 days.
CREATE TABLE webhook_events (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT,
  contact TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_events_contact ON webhook_events (contact) WHERE contact IS NOT NULL;

-- due: Unix ms; NULL when settled. Retries end three days after queued_at. log: JSON of the last attempts.
CREATE TABLE webhook_notifications (
  endpoint INTEGER NOT NULL,
  event INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'discarded')),
  attempts INTEGER NOT NULL,
  due INTEGER,
  queued_at INTEGER NOT NULL,
  log TEXT NOT NULL,
  PRIMARY KEY (endpoint, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_notifications_due ON webhook_notifications (endpoint, due) WHERE due IS NOT NULL;

-- list: id. paused_at: Unix ms of the last pause. graph: JSON. trigger_name: event, property, or mailing list id.
-- Deleted rows are kept until waiting runs are gone, others forever.
CREATE TABLE workflows (
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
  deleted_at INTEGER,
  trigger_type TEXT GENERATED ALWAYS AS (graph->'$.nodes'->(graph->>'$.root')->>'typeName') VIRTUAL,
  trigger_name TEXT
    GENERATED ALWAYS AS (CASE graph->'$.nodes'->(graph->>'$.root')->>'typeName'
      WHEN 'EventTrigger' THEN graph->'$.nodes'->(graph->>'$.root')->>'eventName'
      WHEN 'ContactPropertyTrigger' THEN graph->'$.nodes'->(graph->>'$.root')->'contactPropertyQuery'->>'key'
      WHEN 'AddToListTrigger' THEN list
      ELSE '' END) VIRTUAL
) STRICT;
CREATE INDEX workflows_trigger ON workflows (trigger_type, trigger_name);
-- Frequent queries of the pump avoid rows with large graphs.
CREATE INDEX workflows_status ON workflows (status) WHERE deleted_at IS NULL;
CREATE INDEX workflows_deleted ON workflows (deleted_at) WHERE deleted_at IS NOT NULL;

-- number: 1, 2, 3 … per workflow. ended: runs ended by this edit, as JSON of [node k, reason, count].
-- Versions with ran = 1 or ended are kept with the workflow, of others the last 50.
CREATE TABLE workflow_versions (
  workflow INTEGER NOT NULL,
  number INTEGER NOT NULL,
  revision TEXT NOT NULL,
  at INTEGER NOT NULL,
  list TEXT,
  graph TEXT NOT NULL,
  ran INTEGER NOT NULL,
  ended TEXT,
  PRIMARY KEY (workflow, number)
) STRICT, WITHOUT ROWID;

-- Status changes, at Unix ms. They explain why a contact did not enter.
CREATE TABLE workflow_status_changes (
  workflow INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status TEXT NOT NULL,
  PRIMARY KEY (workflow, at)
) STRICT, WITHOUT ROWID;

-- 'ended': runs by end reason. 'dropped': triggered contacts that did not enter. Kept as long as the workflow.
CREATE TABLE workflow_counts (
  workflow INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('ended', 'dropped')),
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (workflow, kind, reason)
) STRICT, WITHOUT ROWID;

-- hour: since 1970; 0 for all older than a day. counts: JSON by "k of the node, k of the next one" or "k of the
-- node, reason". since (hour 0): last uncounted move, in Unix ms; NULL if all were counted. Names no contact.
CREATE TABLE workflow_passed (
  workflow INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  counts TEXT NOT NULL,
  since INTEGER,
  PRIMARY KEY (workflow, hour)
) STRICT, WITHOUT ROWID;

-- node: k of the resting node. since, wake: Unix ms; wake is NULL at the end. path: JSON. event: JSONB. ended: the
-- reason. failures: consecutive step failures. Kept as long as the contact.
CREATE TABLE runs (
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
  failures INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (contact, workflow, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_due ON runs (workflow, wake, node) WHERE wake IS NOT NULL;

-- Progress of the daily purge. At most one row.
CREATE TABLE run_purge (
  contact INTEGER NOT NULL,
  workflow INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  due INTEGER NOT NULL
) STRICT;

-- Pending ordered changes of up to 1 000 runs each. ended: end reason. node, wait: timer (k) and its length in
-- ms. at: Unix ms. runs: JSON of [contact, seq], without deleted contacts.
CREATE TABLE sweeps (
  n INTEGER PRIMARY KEY,
  workflow INTEGER NOT NULL,
  ended TEXT,
  node INTEGER,
  wait INTEGER,
  at INTEGER NOT NULL,
  runs TEXT NOT NULL
) STRICT;
CREATE INDEX sweeps_workflow ON sweeps (workflow);

-- Mails are counted with their message: sent, failed, unknown and in_ledger stay 0.
-- Kept forever for filters and statistics.
CREATE TABLE campaigns (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  content_group INTEGER NOT NULL, -- n
  message INTEGER NOT NULL, -- n
  list TEXT, -- id
  segment TEXT, -- id
  filter TEXT,
  method TEXT NOT NULL CHECK (method IN ('now', 'schedule')),
  scheduled_at INTEGER,
  status TEXT NOT NULL CHECK (status IN ('Draft', 'Scheduled', 'Sending', 'Sent')),
  state TEXT CHECK (state IN ('snapshot', 'sending', 'paused', 'held', 'cancelled', 'done')), -- NULL before sending
  reason TEXT, -- cause of a hold
  max_contact INTEGER, -- highest possible recipient
  snapshot_cursor INTEGER NOT NULL DEFAULT 0, -- last contact read
  claimed_cursor INTEGER NOT NULL DEFAULT 0, -- last recipient in sends
  recipients INTEGER NOT NULL DEFAULT 0,
  queued INTEGER NOT NULL DEFAULT 0, -- not in sends yet
  in_ledger INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER,
  finished_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  segment_filter TEXT, -- JSON when it was scheduled
  released TEXT, -- JSON of mail counts at a resume after a rate hold, by reason
  pass TEXT CHECK (pass IN ('cancel', 'retry')), -- on all recipients up to pass_cursor. 'cancel' stays until no mail is in flight
  pass_cursor INTEGER NOT NULL DEFAULT 0,
  pass_at INTEGER, -- Unix ms
  moving_since INTEGER, -- Unix ms
  moved INTEGER NOT NULL DEFAULT 0, -- mails with a result by then
  confirmed INTEGER, -- recipients confirmed by a person
  ready INTEGER NOT NULL DEFAULT 0, -- the compared count at the start
  refusals TEXT, -- JSON of consecutive refusals that may concern all mails of the sender
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX campaigns_active ON campaigns (status, scheduled_at) WHERE status IN ('Scheduled', 'Sending');
CREATE INDEX campaigns_passes ON campaigns (n) WHERE pass IS NOT NULL;

-- Recipients, fixed at the start. campaign, contact, send: n. reason: why not sent. Kept until the campaign or
-- contact is deleted.
CREATE TABLE recipients (
  campaign INTEGER NOT NULL,
  contact INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN (
    'queued', 'in_ledger', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'unknown', 'skipped', 'cancelled'
  )),
  reason TEXT,
  send INTEGER,
  settled_at INTEGER,
  PRIMARY KEY (campaign, contact)
) STRICT, WITHOUT ROWID;
-- Deleted recipients without mail count as skipped, so that the counts stay consistent. Those in sends count there.
CREATE TRIGGER recipient_deleted AFTER DELETE ON recipients WHEN OLD.state = 'queued'
  BEGIN
    UPDATE campaigns SET queued = queued - 1, skipped = skipped + 1 WHERE n = OLD.campaign AND claimed_cursor < OLD.contact;
  END;
CREATE INDEX recipients_reasons ON recipients (campaign, state, reason) WHERE reason IS NOT NULL;
CREATE TRIGGER recipient_counted_deleted AFTER DELETE ON recipients
  BEGIN
    UPDATE campaigns SET deleted = deleted + 1 WHERE n = OLD.campaign;
  END;

-- form: JSON of encoding and delimiter. preview: JSON of the first rows. settings: JSON. cursor: k of the last
-- imported batch. Counts are of the latest run. Kept 30 days after the end; incomplete files 1 day, unstarted files
-- 7 days.
CREATE TABLE imports (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('uploading', 'ready', 'running', 'done', 'cancelled')),
  dry_run INTEGER NOT NULL DEFAULT 0,
  form TEXT NOT NULL,
  columns TEXT NOT NULL,
  preview TEXT,
  settings TEXT,
  rows INTEGER NOT NULL DEFAULT 0,
  cursor INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX imports_state ON imports (state, n);

-- Batches of rows, as JSON. k: 1, 2, 3 … Deleted in the transaction that imports them.
CREATE TABLE import_rows (
  import INTEGER NOT NULL,
  k INTEGER NOT NULL,
  batch TEXT NOT NULL,
  PRIMARY KEY (import, k)
) STRICT, WITHOUT ROWID;

-- Lines of the outcome file, per batch, without row values.
CREATE TABLE import_outcomes (
  import INTEGER NOT NULL,
  k INTEGER NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (import, k)
) STRICT, WITHOUT ROWID;

-- New identifiers in a dry run: a second row of the same person counts as an update.
CREATE TABLE import_seen (
  import INTEGER NOT NULL,
  identifier TEXT NOT NULL,
  PRIMARY KEY (import, identifier)
) STRICT, WITHOUT ROWID;
`;

const version101 = `
-- Revisions that mails name. used_at: Unix ms, at most a day before created_at of the newest one. Kept until no mail
-- names the revision.
CREATE TABLE revision_uses (revision INTEGER PRIMARY KEY, used_at INTEGER NOT NULL) STRICT;
-- Mails are accepted in several places; the trigger sees all of them.
CREATE TRIGGER revision_used AFTER INSERT ON sends
  BEGIN
    INSERT INTO revision_uses (revision, used_at) VALUES (NEW.revision, NEW.created_at)
      ON CONFLICT (revision) DO UPDATE SET used_at = excluded.used_at WHERE used_at <= excluded.used_at - 86400000;
  END;
CREATE INDEX message_revisions_recompiled ON message_revisions (message) WHERE content IS NOT NULL;
CREATE INDEX email_messages_template ON email_messages (template) WHERE template IS NOT NULL;
`;

const version102 = `
-- The index has all that tells which workflows a write starts, so that it reads no graph.
ALTER TABLE workflows ADD COLUMN trigger_node TEXT GENERATED ALWAYS AS (graph->'$.nodes'->(graph->>'$.root')) VIRTUAL;
CREATE INDEX workflows_entry ON workflows (trigger_type, trigger_name, status, deleted_at, list, paused_at, trigger_node)
  WHERE status <> 'Draft' AND deleted_at IS NULL;
`;

// A campaign mail has no row in sends before its result. Claims of up to 100 mails share a row.
const version103 = `
-- Claimed campaign mails without a row in sends. mails: JSON array. since: claim of the oldest, in Unix ms; NULL if
-- none. last: largest n so far, never reused. One row per Mailer, kept forever.
CREATE TABLE mailer_claims (
  mailer TEXT PRIMARY KEY,
  mails TEXT NOT NULL,
  since INTEGER,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails sent by a Mailer are counted once for all results of an answer.
DROP TRIGGER marketing_counted;
CREATE TRIGGER marketing_counted AFTER UPDATE OF state ON sends
  WHEN NEW.class = 'marketing' AND NEW.preview = 0 AND NEW.state <> OLD.state
    AND NOT (OLD.state = 'sending' AND NEW.state = 'sent') AND (
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
  END;
`;

// A mail that is deferred or refused writes four rows more. Its events are in its row.
const version104 = `
-- history: JSON of events besides success at the first attempt, oldest first, at most 50; the previous version wrote
-- send_events. counted_claim: attempt of the last claim that was counted so.
ALTER TABLE sends ADD COLUMN history TEXT;
ALTER TABLE sends ADD COLUMN counted_claim INTEGER;

-- Claims and failed attempts are counted once for all of an answer. The former change counted_claim, the latter history.
DROP TRIGGER marketing_counted;
CREATE TRIGGER marketing_counted AFTER UPDATE OF state ON sends
  WHEN NEW.class = 'marketing' AND NEW.preview = 0 AND NEW.state <> OLD.state
    AND NEW.counted_claim IS OLD.counted_claim AND NEW.history IS OLD.history
    AND NOT (OLD.state = 'sending' AND NEW.state = 'sent') AND (
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
  END;

-- A campaign mail that waits for its next attempt has no engagement yet. Mails with an unknown result count as sent.
DROP TRIGGER engagement_sent;
CREATE TRIGGER engagement_sent AFTER UPDATE OF state ON sends
  WHEN NEW.contact IS NOT NULL AND NEW.preview = 0 AND NEW.state <> OLD.state AND NEW.state NOT IN ('queued', 'sending')
  BEGIN
    INSERT INTO engagement (contact, message, run, send, sent_at)
      SELECT NEW.contact, message, NEW.run, NEW.n,
        iif(NEW.state IN ('sent', 'delivered', 'bounced', 'complained', 'unknown'), coalesce(NEW.settled_at, NEW.created_at), NULL)
      FROM message_revisions WHERE n = NEW.revision
      ON CONFLICT (contact, message, run) DO UPDATE SET sent_at = excluded.sent_at
        WHERE sent_at IS NULL AND excluded.sent_at IS NOT NULL;
  END;

-- The previous version erases a person without the history, which it does not know.
CREATE TRIGGER history_erased AFTER UPDATE OF recipient ON sends
  WHEN NEW.recipient = '[erased]' AND OLD.recipient <> '[erased]' AND NEW.history IS NOT NULL
  BEGIN UPDATE sends SET history = NULL WHERE n = NEW.n; END;

-- A recipient that waits is sent once its engagement says so.
DROP TRIGGER recipient_settled;
CREATE TRIGGER recipient_settled AFTER UPDATE OF state ON sends
  WHEN NEW.run = 0 AND NEW.state <> OLD.state AND NEW.state <> 'sending' AND (NEW.state <> 'queued' OR OLD.state = 'unknown')
    AND NEW.preview = 0 AND substr(NEW.origin, 1, 4) = 'cmp_'
  BEGIN
    UPDATE recipients SET
      state = CASE NEW.state WHEN 'not_sent' THEN iif(NEW.error IS 'campaign_cancelled', 'cancelled', 'skipped')
        WHEN 'queued' THEN 'in_ledger' ELSE NEW.state END,
      reason = iif(NEW.state IN ('not_sent', 'failed', 'bounced', 'unknown'), substr(NEW.error, 1, 200), NULL),
      send = NEW.n, settled_at = NEW.settled_at
    WHERE campaign = (SELECT n FROM campaigns WHERE id = NEW.origin) AND contact = NEW.contact
      AND NOT (NEW.state = 'sent' AND state = 'queued');
  END;
`;

// Equal answers of one destination that addresses do not exist suppress none before the decision of a person.
const version105 = `
-- destination: domain or large provider. cause: their words, without addresses. at: Unix ms of the first. mails: their
-- number. decision: NULL until then. cursor: last send (n) that the decision reached; NULL if all. changed: addresses
-- suppressed, or mails sent again. left_out: JSON of counts by reason. Kept 30 days.
CREATE TABLE waves (
  n INTEGER PRIMARY KEY,
  destination TEXT NOT NULL,
  cause TEXT NOT NULL,
  at INTEGER NOT NULL,
  mails INTEGER NOT NULL DEFAULT 0,
  decision TEXT CHECK (decision IN ('suppress', 'resend', 'keep')),
  decision_at INTEGER,
  cursor INTEGER,
  changed INTEGER NOT NULL DEFAULT 0,
  left_out TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX waves_open ON waves (destination) WHERE decision IS NULL;
CREATE INDEX waves_suppressed ON waves (destination, decision_at) WHERE decision = 'suppress';
CREATE INDEX waves_at_work ON waves (n) WHERE cursor IS NOT NULL;

-- send: n of a bounced mail. Kept as long as the wave.
CREATE TABLE wave_mails (wave INTEGER NOT NULL, send INTEGER NOT NULL, PRIMARY KEY (wave, send)) STRICT, WITHOUT ROWID;

-- wave: n of the wave that holds the campaign.
ALTER TABLE campaigns ADD COLUMN wave INTEGER;
-- cause: words of the bounce, without addresses.
ALTER TABLE suppressions ADD COLUMN cause TEXT;
`;

const version106 = `
-- time_zone: name of the IANA database; days of filters and charts, and times without an offset, are of it.
ALTER TABLE team ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
`;

// Rows of a domain and day are bounded, because strangers know the address of the reports.
const version107 = `
-- Aggregate reports of DMARC. day: Unix day of the start of a report. id: organization and its id, so that a repetition
-- adds nothing. Kept 30 days.
CREATE TABLE dmarc_reports (
  day INTEGER NOT NULL,
  domain TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (day, domain, id)
) STRICT, WITHOUT ROWID;
-- Mails in them. source: IP address, or others. dkim, spf: 1 if it passed for this domain. Kept 30 days.
CREATE TABLE dmarc_days (
  day INTEGER NOT NULL,
  domain TEXT NOT NULL,
  source TEXT NOT NULL,
  dkim INTEGER NOT NULL,
  spf INTEGER NOT NULL,
  disposition TEXT NOT NULL CHECK (disposition IN ('none', 'quarantine', 'reject')),
  mails INTEGER NOT NULL,
  PRIMARY KEY (day, domain, source, dkim, spf, disposition)
) STRICT, WITHOUT ROWID;
`;

const version108 = `
-- keep_days: days for which the values of its mails are kept; 0: until they are settled.
ALTER TABLE templates ADD COLUMN keep_days INTEGER NOT NULL DEFAULT 0;
-- data: JSON of the values. until: Unix ms of their end.
CREATE TABLE kept_values (send INTEGER PRIMARY KEY, until INTEGER NOT NULL, data TEXT NOT NULL) STRICT;
CREATE INDEX kept_values_end ON kept_values (until);
`;

const version109 = `
-- cut: 1 if only its beginning counts. A row without a domain is of a file that could not be read on that day; id: why.
ALTER TABLE dmarc_reports ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;
`;

const version110 = `
-- brand_color: #rrggbb. logo: file name of an upload. Both are for the pages of recipients.
ALTER TABLE team ADD COLUMN brand_color TEXT;
ALTER TABLE team ADD COLUMN logo TEXT;
-- unsubscribe_reason: what the recipient answered. Kept as long as the row.
ALTER TABLE engagement ADD COLUMN unsubscribe_reason TEXT;
-- How many people gave a reason to leave a message. Kept forever, as message_counts.
CREATE TABLE unsubscribe_reasons (
  message INTEGER NOT NULL,
  reason TEXT NOT NULL,
  people INTEGER NOT NULL,
  PRIMARY KEY (message, reason)
) STRICT, WITHOUT ROWID;
`;

const version111 = `
-- most: recipients above which it is held at its start; NULL: 1 % above confirmed. not_selected, not_on_list: contacts
-- that were no recipients at its start, because of segment or filter, or the list; NULL before this version.
ALTER TABLE campaigns ADD COLUMN most INTEGER;
ALTER TABLE campaigns ADD COLUMN not_selected INTEGER;
ALTER TABLE campaigns ADD COLUMN not_on_list INTEGER;
-- notice_email: address for mails of this service about the team's campaigns.
ALTER TABLE team ADD COLUMN notice_email TEXT;
-- JSON of counts by hour and day of campaigns, in the rows that are written anyway. h: Unix hour. d: day of the team's
-- time zone, as a Unix day. later: all after that.
ALTER TABLE message_counts ADD COLUMN sent_times TEXT;
ALTER TABLE message_engagement ADD COLUMN opened_times TEXT;
ALTER TABLE message_engagement ADD COLUMN clicked_times TEXT;
-- JSON of clicks of people by place in the mail: c3 and p3 are clicks and people at the third link; p3 of a send: clicks.
ALTER TABLE link_counts ADD COLUMN places TEXT;
ALTER TABLE send_hits ADD COLUMN places TEXT;
`;

const version112 = `
-- Words of 128 contacts each, for search; the newest contacts are in none. lines: for each contact char(57344 + n % 128), and
-- its folded names, address and user id. at: updated_at of the last contact that changed it. Kept with the contacts.
CREATE TABLE contact_blocks (block INTEGER PRIMARY KEY, at INTEGER NOT NULL, lines TEXT NOT NULL) STRICT;
-- blocks_due: blocks below it may be missing; 0 if none is.
ALTER TABLE team ADD COLUMN blocks_due INTEGER NOT NULL DEFAULT 9007199254740991;
-- Code of former versions writes contacts without words. It never writes at the moment of a block.
CREATE TRIGGER contact_added_without_words AFTER INSERT ON contacts
  WHEN (NEW.n % 128 = 127 OR EXISTS (SELECT 1 FROM contact_blocks WHERE block = NEW.n / 128))
    AND NOT EXISTS (SELECT 1 FROM contact_blocks WHERE block = NEW.n / 128 AND at = NEW.updated_at)
  BEGIN
    DELETE FROM contact_blocks WHERE block = NEW.n / 128;
    UPDATE team SET blocks_due = NEW.n / 128 + 1 WHERE blocks_due <= NEW.n / 128;
  END;
CREATE TRIGGER contact_renamed_without_words AFTER UPDATE OF email, user_id, data ON contacts
  WHEN (OLD.email IS NOT NEW.email OR OLD.user_id IS NOT NEW.user_id
      OR OLD.data ->> '$.firstName' IS NOT NEW.data ->> '$.firstName'
      OR OLD.data ->> '$.lastName' IS NOT NEW.data ->> '$.lastName')
    AND EXISTS (SELECT 1 FROM contact_blocks WHERE block = NEW.n / 128 AND at <> NEW.updated_at)
  BEGIN
    DELETE FROM contact_blocks WHERE block = NEW.n / 128;
    UPDATE team SET blocks_due = NEW.n / 128 + 1 WHERE blocks_due <= NEW.n / 128;
  END;
CREATE TRIGGER contact_deleted_with_words AFTER DELETE ON contacts
  WHEN EXISTS (SELECT 1 FROM contact_blocks WHERE block = OLD.n / 128 AND instr(lines, char(57344 + OLD.n % 128)) > 0)
  BEGIN
    DELETE FROM contact_blocks WHERE block = OLD.n / 128;
    UPDATE team SET blocks_due = OLD.n / 128 + 1 WHERE blocks_due <= OLD.n / 128;
  END;
`;

/** The tables of a team's object. */
export const schema: Schema = {
  object: "Workspace",
  migrations: [
    { version: 100, minimum: 100, sql: version100 },
    { version: 101, minimum: 100, sql: version101 },
    { version: 102, minimum: 100, sql: version102 },
    { version: 103, minimum: 103, sql: version103 },
    { version: 104, minimum: 103, sql: version104 },
    { version: 105, minimum: 103, sql: version105 },
    { version: 106, minimum: 103, sql: version106 },
    { version: 107, minimum: 103, sql: version107 },
    { version: 108, minimum: 103, sql: version108 },
    { version: 109, minimum: 103, sql: version109 },
    { version: 110, minimum: 103, sql: version110 },
    { version: 111, minimum: 103, sql: version111 },
    { version: 112, minimum: 103, sql: version112 },
  ],
};

/** Returns the versions that it applied. */
export const migrateTeam = (storage: Parameters<typeof migrate>[0]): number[] => migrate(storage, schema);
