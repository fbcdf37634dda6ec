import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { schema as logins } from "../../src/dashboard/worker/logins/schema.ts";
import { schema as mailer } from "../../src/email/delivery/mailer/note.ts";
import { schema as directory } from "../../src/email/objects/directory/schema.ts";
import { schema as inbox } from "../../src/email/objects/inbox/schema.ts";
import { schema as workspace } from "../../src/email/workspace/core/schema.ts";
import type { Schema } from "../../src/lib/util/migrate.ts";
import { schema as outbox } from "../../src/outbox/model/schema.ts";
import { SRC } from "./source.ts";

/**
 * Who ends the rows of a table. `age`: a chore, after a time. `count`: a bound on their number, or rows that are
 * overwritten. `parent`: they go with a row of another table. `person`: a request deletes them; the size of the
 * database is the bound. `text` stands in `file` and shows it.
 */
type End = { by: "age" | "count" | "parent" | "person"; file: string; text: string };

const end = (by: End["by"], file: string, text: string): End => ({ by, file, text });
const workspaceEnd = (by: End["by"], file: string, text: string): End => end(by, `email/workspace/${file}`, text);
const one = (file: string, text: string): End => workspaceEnd("count", file, text);

const contact = (table: string) => workspaceEnd("parent", "contacts/contact-rows.ts", `DELETE FROM ${table}`);
const message = (table: string) => workspaceEnd("parent", "content/messages.ts", `"${table}"`);
const workflow = (table: string) => workspaceEnd("parent", "workflows/runs/deleted.ts", `"${table}"`);
const settled = (table: string) => workspaceEnd("age", "sending/chores.ts", table);

const ENDS: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  Workspace: {
    team: one("core/schema.ts", "one INTEGER PRIMARY KEY CHECK (one = 1)"),
    api_keys: workspaceEnd("age", "team/known-keys.ts", "DELETE FROM api_keys"),
    rate: one("requests/rate.ts", "INSERT OR REPLACE INTO rate"),
    idempotency: workspaceEnd("age", "requests/idempotency.ts", "DELETE FROM idempotency"),
    // One row per name: some fixed ones, and two per campaign.
    kept_counts: one("core/kept-counts.ts", "INSERT OR REPLACE INTO kept_counts"),
    contacts: workspaceEnd("person", "contacts/contact-rows.ts", "DELETE FROM contacts"),
    contact_blocks: workspaceEnd("parent", "contacts/contact-blocks.ts", "DELETE FROM contact_blocks"),
    properties: one("contacts/properties.ts", "MAX_PROPERTIES"),
    removed_properties: workspaceEnd("age", "contacts/property-removal.ts", "DELETE FROM removed_properties"),
    mailing_lists: one("contacts/list-admin.ts", "MAX_LISTS"),
    left_lists: contact("left_lists"),
    event_patterns: one("events/learn.ts", "MAX_PATTERNS"),
    events: workspaceEnd("age", "events/chores.ts", "DELETE FROM events"),
    suppressions: workspaceEnd("person", "sending/suppression.ts", "FROM suppressions"),
    suppression_removals: settled("DELETE FROM suppression_removals"),
    dmarc_days: workspaceEnd("age", "domains/dmarc-reports.ts", "DELETE FROM dmarc_days"),
    dmarc_reports: workspaceEnd("age", "domains/dmarc-reports.ts", "DELETE FROM dmarc_reports"),
    soft_bounces: workspaceEnd("age", "sending/results/soft-bounces.ts", "DELETE FROM soft_bounces"),
    kept_values: workspaceEnd("age", "sending/kept-values.ts", "DELETE FROM kept_values"),
    waves: workspaceEnd("age", "operator/waves/chores.ts", "DELETE FROM waves"),
    wave_mails: workspaceEnd("age", "operator/waves/chores.ts", "DELETE FROM wave_mails"),
    segments: one("segments/segments.ts", "MAX_SEGMENTS"),
    themes: one("content/themes.ts", "MAX_THEMES"),
    components: one("content/components.ts", "MAX_COMPONENTS"),
    content_groups: one("content/groups.ts", "MAX_GROUPS"),
    templates: one("content/transactional-emails.ts", "MAX_TEMPLATES"),
    // Messages of a workflow stay with it, because filters name them.
    email_messages: workspaceEnd("parent", "content/revision-ends.ts", "DELETE FROM email_messages"),
    message_revisions: workspaceEnd("count", "content/revision-ends.ts", "DELETE FROM message_revisions"),
    revision_uses: workspaceEnd("age", "content/revision-ends.ts", "DELETE FROM revision_uses"),
    message_uses: message("message_uses"),
    stale_messages: message("stale_messages"),
    kept_messages: message("kept_messages"),
    message_counts: message("message_counts"),
    message_engagement: message("message_engagement"),
    unsubscribe_reasons: message("unsubscribe_reasons"),
    link_counts: message("link_counts"),
    template_counts: one("content/transactional-emails.ts", "MAX_TEMPLATES"),
    uploads: workspaceEnd("count", "content/uploads.ts", "MAX_UPLOADS"),
    sends: settled("DELETE FROM sends"),
    send_events: settled('"send_events"'),
    send_hits: settled('"send_hits"'),
    send_attachments: workspaceEnd("parent", "core/schema.ts", "DELETE FROM send_attachments WHERE send = NEW.n"),
    engagement: contact("engagement"),
    domains: one("domains/handlers.ts", "MAX_DOMAINS"),
    dkim_keys: workspaceEnd("age", "domains/chores.ts", "DELETE FROM dkim_keys"),
    limits: workspaceEnd("age", "limits/chores.ts", "DELETE FROM limits"),
    warmups: workspaceEnd("parent", "limits/limit-rows.ts", "DELETE FROM warmups"),
    claimed_mails: workspaceEnd("age", "limits/chores.ts", "DELETE FROM claimed_mails"),
    webhook_endpoints: workspaceEnd("count", "webhooks/endpoint-handlers.ts", "MAX_ENDPOINTS"),
    webhook_events: workspaceEnd("age", "webhooks/chores.ts", "DELETE FROM webhook_events"),
    webhook_notifications: workspaceEnd("age", "webhooks/chores.ts", "DELETE FROM webhook_notifications"),
    workflows: one("workflows/handlers.ts", "MAX_WORKFLOWS"),
    workflow_versions: one("workflows/workflow-rows.ts", "KEPT_RUN_VERSIONS"),
    workflow_status_changes: one("workflows/workflow-rows.ts", "KEPT_CHANGES"),
    workflow_counts: workflow("workflow_counts"),
    workflow_passed: workspaceEnd("age", "workflows/node-passes.ts", "DELETE FROM workflow_passed"),
    runs: workspaceEnd("age", "workflows/runs/chores.ts", "DELETE FROM runs"),
    run_purge: workspaceEnd("count", "workflows/runs/chores.ts", "DELETE FROM run_purge"),
    sweeps: workspaceEnd("age", "core/sweeps.ts", "DELETE FROM sweeps"),
    campaigns: one("campaigns/handlers.ts", "MAX_CAMPAIGNS"),
    mailer_claims: one("core/mailer-claims.ts", "ON CONFLICT (mailer)"),
    recipients: workspaceEnd("age", "campaigns/chores.ts", "DELETE FROM recipients"),
    imports: workspaceEnd("age", "imports/chores.ts", "DELETE FROM imports"),
    import_rows: workspaceEnd("age", "imports/chores.ts", "DELETE FROM import_rows"),
    import_outcomes: workspaceEnd("age", "imports/chores.ts", "DELETE FROM import_outcomes"),
    import_seen: workspaceEnd("age", "imports/chores.ts", "DELETE FROM import_seen"),
  },
  // A team is added by an operator, and has some bytes. Nothing deletes a team.
  Directory: {
    teams: end("person", "email/objects/directory.ts", "ON CONFLICT (id) DO UPDATE SET name"),
    audit: end("age", "email/objects/directory.ts", "purgeAudit"),
    domains: end("parent", "email/objects/directory.ts", "DELETE FROM domains WHERE team = ?"),
    day_rows: end("age", "email/objects/directory.ts", "DELETE FROM day_rows WHERE day < ?"),
    kv: end("count", "lib/util/kv.ts", "INSERT OR REPLACE INTO kv"),
    sender_problems: end(
      "age",
      "email/objects/directory.ts",
      "DELETE FROM sender_problems WHERE team = ? OR kept_until <= ?",
    ),
  },
  Inbox: { mails: end("count", "email/objects/inbox.ts", "MAX_BYTES") },
  // Version 100 wrote "started"; no code adds a row now.
  Mailer: {
    note: end("count", "email/delivery/mailer/note.ts", "one INTEGER PRIMARY KEY CHECK (one = 1)"),
    started: end("count", "email/delivery/mailer/note.ts", "block INTEGER PRIMARY KEY"),
  },
  Logins: {
    sessions: end("age", "dashboard/worker/logins.ts", "DELETE FROM sessions WHERE expires <= ?"),
    attempts: end("age", "dashboard/worker/logins.ts", "DELETE FROM attempts WHERE at <= ?"),
    used_codes: end("age", "dashboard/worker/logins.ts", "DELETE FROM used_codes WHERE at <= ?"),
    refused_logins: end("age", "dashboard/worker/logins.ts", "DELETE FROM refused_logins WHERE at <= ?"),
    audit: end("age", "dashboard/worker/logins.ts", "purgeAudit"),
    views: end("count", "dashboard/worker/logins.ts", "MAX_VIEWS"),
    people: end("count", "dashboard/worker/logins/people.ts", "MAX_PEOPLE"),
    first_listed: end("count", "dashboard/worker/logins/schema.ts", "CHECK (one = 1)"),
    passkeys: end("count", "dashboard/worker/logins/people.ts", "MAX_PASSKEYS"),
    invites: end("age", "dashboard/worker/logins.ts", "DELETE FROM invites WHERE expires <= ?"),
    recovery_codes: end("parent", "dashboard/worker/logins/people.ts", '"recovery_codes"'),
  },
  Outbox: {
    webhooks: end("age", "outbox/journal/purge.ts", "DELETE FROM webhooks"),
    contacts: end("age", "outbox/identity/purge.ts", "DELETE FROM contacts"),
    refusals: end("age", "outbox/journal/refusals.ts", "DELETE FROM refusals"),
    audit: end("age", "outbox/retention.ts", "purgeAudit"),
    activity: end("age", "outbox/journal/activity-table.ts", "DELETE FROM activity"),
    kv: end("count", "lib/util/kv.ts", "name"),
  },
};

const schemas: readonly Schema[] = [workspace, directory, inbox, mailer, logins, outbox];

const tablesOf = ({ migrations }: Schema): string[] => {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of migrations) database.exec(sql);
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return rows.map(({ name }) => String(name)).sort();
};

describe.each(schemas)("each table of $object", (schema) => {
  const ends = ENDS[schema.object] ?? {};

  it("has an owner of its end, and each owner a table", () => {
    expect(Object.keys(ends).sort()).toEqual(tablesOf(schema));
  });

  it.each(Object.entries(ends))("%s: the owner does it", (_table, { file, text }) => {
    expect(readFileSync(join(SRC, file), "utf8")).toContain(text);
  });
});

it("a table without an owner is found", () => {
  const grown = {
    object: "Inbox",
    migrations: [...inbox.migrations, { version: 999, minimum: 100, sql: "CREATE TABLE grows (n INTEGER) STRICT" }],
  };
  expect(Object.keys(ENDS.Inbox ?? {})).not.toEqual(tablesOf(grown));
});
