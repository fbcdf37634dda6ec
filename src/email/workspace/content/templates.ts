import type { Refusal } from "../../../lib/contract/errors.ts";
import { compileMessage } from "../../../lib/lmx/message/compile-message.ts";
import type { MessageSource } from "../../../lib/lmx/message/message-source.ts";
import { type Context, wake } from "../core/context.ts";
import { nextNumber } from "../core/numbers.ts";
import { libraryOf } from "./library.ts";
import { addMessage, type Content, contentOf } from "./messages.ts";

/** `variables`: JSON array of full names that the published revision needs. */
export type TemplateRow = {
  n: number;
  id: string;
  name: string;
  created_at: number;
  updated_at: number;
  draft_id: string | null;
  draft_revision: number | null;
  published_id: string | null;
  group_id: string | null;
  variables: string | null;
};

/** A published template in editing also has a draft message. */
const conditions = {
  all: "1",
  draft: "t.draft_message IS NOT NULL",
  published: "t.published IS NOT NULL",
} as const;

const SELECT = `SELECT t.n, t.id, t.name, t.created_at, t.updated_at, d.id AS draft_id, p.id AS published_id,
    (SELECT coalesce(content, n) FROM message_revisions WHERE n = d.revision) AS draft_revision, g.id AS group_id, json_extract(r.compiled, '$.variables') AS variables
  FROM templates t
  LEFT JOIN email_messages d ON d.n = t.draft_message
  LEFT JOIN email_messages p ON p.n = t.published_message
  LEFT JOIN message_revisions r ON r.n = t.published
  LEFT JOIN content_groups g ON g.n = t.content_group`;

export const templatesWith = (sql: SqlStorage, status: keyof typeof conditions) => {
  const where = conditions[status];
  const { total } = sql.exec<{ total: number }>(`SELECT count(*) AS total FROM templates t WHERE ${where}`).one();
  const rows = (before: number, count: number) =>
    sql.exec<TemplateRow>(`${SELECT} WHERE ${where} AND t.n < ? ORDER BY t.n DESC LIMIT ?`, before, count).toArray();
  return { total, rows };
};

export const findTemplate = (sql: SqlStorage, id: string): TemplateRow | undefined =>
  sql.exec<TemplateRow>(`${SELECT} WHERE t.id = ?`, id).toArray()[0];

export const templateNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no transactional email with the id "${id}". GET /v1/transactional-emails?status=all lists them.`;
  return { refusal: { code: "transactional_not_found", path: "transactionalId", message } };
};

export const dataVariablesOf = ({ variables }: TemplateRow): string[] =>
  (JSON.parse(variables ?? "[]") as string[]).map((name) => name.slice("data.".length));

/** Returns `n` of the sent revision, null for a draft, and the days for which values are kept; undefined if unknown. */
export const publishedRevision = (
  sql: SqlStorage,
  id: string,
): { revision: number | null; keepDays: number } | undefined =>
  sql
    .exec<{ revision: number | null; keepDays: number }>(
      "SELECT published AS revision, keep_days AS keepDays FROM templates WHERE id = ?",
      id,
    )
    .toArray()[0];

export const addTemplate = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { id, name, group }: { id: string; name: string; group: number | null },
): number => {
  const n = nextNumber(sql, "templates", now);
  sql.exec(
    "INSERT INTO templates (n, id, name, content_group, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
    n,
    id,
    name,
    group,
    now,
    now,
  );
  return n;
};

export const addDraft = (context: Context, template: number, content: Content): void => {
  const { n } = addMessage(context, context.id("msg"), { template }, content);
  context.sql.exec("UPDATE templates SET draft_message = ?, updated_at = ? WHERE n = ?", n, context.now, template);
};

export const copyPublished = (context: Context, template: number, publishedId: string): void => {
  const { sql } = context;
  addDraft(context, template, contentOf(sql, publishedId));
  // A stale copy is recompiled, so its author sees problems.
  const { rowsWritten } = sql.exec(
    `INSERT INTO stale_messages (message) SELECT t.draft_message FROM templates t
     WHERE t.n = ? AND t.published_message IN (SELECT message FROM stale_messages UNION SELECT message FROM kept_messages)`,
    template,
  );
  if (rowsWritten > 0) wake(context, context.now);
};

export const publishDraft = ({ sql, now }: Pick<Context, "sql" | "now">, template: number): void => {
  // A message no longer sent keeps its look.
  for (const table of ["message_uses", "stale_messages", "kept_messages"])
    sql.exec(`DELETE FROM ${table} WHERE message = (SELECT published_message FROM templates WHERE n = ?)`, template);
  sql.exec(
    `UPDATE templates SET published = (SELECT revision FROM email_messages WHERE n = draft_message),
       published_message = draft_message, draft_message = NULL, updated_at = ? WHERE n = ? AND draft_message IS NOT NULL`,
    now,
    template,
  );
};

/** @throws on a compile error: only package templates are passed */
export const publishTemplate = (
  context: Context,
  { id, name, source }: { id: string; name: string; source: MessageSource },
): void => {
  const { compiled, uses, problems } = compileMessage(source, "transactional", libraryOf(context.sql, source.lmx));
  if (!compiled) throw new Error(`The template ${id} does not compile: ${problems[0]?.message}`);
  const template = addTemplate(context, { id, name, group: null });
  addDraft(context, template, { source: JSON.stringify(source), compiled: JSON.stringify(compiled), uses });
  publishDraft(context, template);
};
