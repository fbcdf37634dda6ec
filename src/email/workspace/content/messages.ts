import type { Refusal } from "../../../lib/contract/errors.ts";
import type { MessageSource } from "../../../lib/lmx/message/message-source.ts";
import type { CampaignStatus, ProgressState } from "../../policy/campaigns/types.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { Context } from "../core/context.ts";
import { nextContent } from "../core/numbers.ts";
import { endRevisions } from "./revision-ends.ts";

/** Owner kind of a message, as the compiler names it. */
export type MessageKind = "transactional" | "campaign" | "workflow";

/**
 * Message row. `revision`: n of the sent one. `content`: n of the first revision with this source.
 * `transactional`, `workflow`, `campaign`: owner ids. `draft`: 1 for a draft. `locked`: why it cannot be edited.
 * `status`, `state`: of its campaign. `kept`: why it did not take the last change; null otherwise.
 */
export type MessageRow = {
  n: number;
  id: string;
  revision: number;
  content: number;
  source: string;
  updated_at: number;
  kind: MessageKind;
  transactional: string | null;
  draft: number;
  workflow: string | null;
  campaign: string | null;
  status: CampaignStatus | null;
  state: ProgressState | null;
  locked: "sending" | "removed" | null;
  kept: string | null;
};

export const KIND =
  "CASE WHEN m.workflow IS NOT NULL THEN 'workflow' WHEN m.campaign IS NOT NULL THEN 'campaign' ELSE 'transactional' END";

/** Public id of a revision: the `contentRevisionId`. */
export const revisionId = (n: number): string => `rev_${n}`;

export const findMessage = (sql: SqlStorage, id: string): MessageRow | undefined =>
  sql
    .exec<MessageRow>(
      `SELECT m.n, m.id, m.revision, coalesce(r.content, r.n) AS content, r.source, m.updated_at, t.id AS transactional, t.draft_message IS m.n AS draft,
         ${KIND} AS kind, w.id AS workflow, c.id AS campaign, c.status, c.state, k.reason AS kept,
         CASE WHEN m.removed_at IS NOT NULL THEN 'removed' WHEN w.status = 'Sending' THEN 'sending' END AS locked
       FROM email_messages m
       JOIN message_revisions r ON r.n = m.revision
       LEFT JOIN templates t ON t.n = m.template
       LEFT JOIN workflows w ON w.n = m.workflow
       LEFT JOIN campaigns c ON c.n = m.campaign
       LEFT JOIN kept_messages k ON k.message = m.n
       WHERE m.id = ?`,
      id,
    )
    .toArray()[0];

export const messageNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no email message with the id "${id}". GET /v1/transactional-emails?status=all has the ids of messages.`;
  return { refusal: { code: "email_message_not_found", path: "emailMessageId", message } };
};

export const sourceOf = ({ source }: Pick<MessageRow, "source">): MessageSource => JSON.parse(source) as MessageSource;

/** Full names of variables without a fallback, such as `contact.firstName`. */
export const withoutFallback = ({ variables, fallbacks }: CompiledMessage): string[] =>
  variables.filter((name) => !Object.hasOwn(fallbacks, name));

/** Data variables that every send has to give. */
export const requiredVariables = (message: CompiledMessage): string[] =>
  withoutFallback(message).map((name) => name.slice("data.".length));

/** True if a campaign or workflow sends the revision. */
export const isMarketing = (sql: SqlStorage, revision: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM message_revisions r JOIN email_messages m ON m.n = r.message WHERE r.n = ? AND ${KIND} != 'transactional'`,
      revision,
    )
    .toArray().length > 0;

export const findRevision = (sql: SqlStorage, n: number): CompiledMessage | undefined => {
  const [row] = sql.exec<{ compiled: string }>("SELECT compiled FROM message_revisions WHERE n = ?", n).toArray();
  return row && (JSON.parse(row.compiled) as CompiledMessage);
};

/** Reads a revision that is known to exist. */
export const readRevision = (sql: SqlStorage, n: number): CompiledMessage => findRevision(sql, n) as CompiledMessage;

/** Current content of a message. `message`: n of its row. */
export const newestRevision = (sql: SqlStorage, message: number): CompiledMessage =>
  readRevision(
    sql,
    sql.exec<{ revision: number }>("SELECT revision FROM email_messages WHERE n = ?", message).one().revision,
  );

/** Source and compiled form as JSON. `content`: n of a revision with the same source. */
export type Content = { source: string; compiled: string; uses: readonly string[]; content?: number };

export const contentOf = (sql: SqlStorage, id: string): Content => {
  const { n, ...content } = sql
    .exec<{ n: number; source: string; compiled: string }>(
      `SELECT m.n, r.source, r.compiled
       FROM email_messages m JOIN message_revisions r ON r.n = m.revision WHERE m.id = ?`,
      id,
    )
    .one();
  const used = sql.exec<{ used: string }>("SELECT used FROM message_uses WHERE message = ?", n).toArray();
  return { ...content, uses: used.map((row) => row.used) };
};

type Owner = { template: number } | { campaign: number } | { workflow: number; node: string };

const NO_OWNER = { template: null, campaign: null, workflow: null, node: null };

export const addMessage = ({ sql, now }: Pick<Context, "sql" | "now">, id: string, owner: Owner, content: Content) => {
  const { template, campaign, workflow, node } = { ...NO_OWNER, ...owner };
  const n = nextContent(sql, "email_messages");
  sql.exec(
    `INSERT INTO email_messages (n, id, template, revision, created_at, updated_at, campaign, workflow, node)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)`,
    n,
    id,
    template,
    now,
    now,
    campaign,
    workflow,
    node,
  );
  return { n, revision: addRevision({ sql, now }, n, content) };
};

export const addRevision = (
  { sql, now }: Pick<Context, "sql" | "now">,
  message: number,
  { source, compiled, uses, content }: Content,
): number => {
  const n = nextContent(sql, "message_revisions");
  sql.exec(
    "INSERT INTO message_revisions (n, message, source, compiled, created_at, content) VALUES (?, ?, ?, ?, ?, ?)",
    n,
    message,
    source,
    compiled,
    now,
    content ?? null,
  );
  // A theme change is no edit of the message.
  const edited = content === undefined ? now : null;
  sql.exec(
    "UPDATE email_messages SET revision = ?, updated_at = coalesce(?, updated_at) WHERE n = ?",
    n,
    edited,
    message,
  );
  setUses(sql, message, uses);
  for (const table of ["stale_messages", "kept_messages"]) sql.exec(`DELETE FROM ${table} WHERE message = ?`, message);
  endRevisions(sql, message);
  return n;
};

const OF_MESSAGE = [
  "message_revisions",
  "message_uses",
  "stale_messages",
  "kept_messages",
  "message_counts",
  "message_engagement",
  "unsubscribe_reasons",
  "link_counts",
];

/** Numbers are never reused. Waiting previews are refused. `message`: n of its row. */
export const removeMessage = (sql: SqlStorage, message: number): void => {
  for (const table of OF_MESSAGE) sql.exec(`DELETE FROM ${table} WHERE message = ?`, message);
  sql.exec("DELETE FROM email_messages WHERE n = ?", message);
};

export const setUses = (sql: SqlStorage, message: number, uses: readonly string[]): void => {
  sql.exec("DELETE FROM message_uses WHERE message = ?", message);
  for (const used of uses) sql.exec("INSERT INTO message_uses (used, message) VALUES (?, ?)", used, message);
};
