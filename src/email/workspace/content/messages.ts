import type { Context } from "../base/context.ts";
import type { CompiledMessage } from "./compile-message.ts";
import { emptySource, type MessageSource } from "./message-source.ts";

/**
 * A message with the source of its revision. `transactional`: id of the transactional email that it belongs to. `draft`: 1
 * while it may be edited.
 */
export type MessageRow = {
  n: number;
  id: string;
  revision: number;
  source: string;
  updated_at: number;
  transactional: string | null;
  draft: number;
};

/** The public id of a revision: the `contentRevisionId`. */
export const revisionId = (n: number): string => `rev_${n}`;

export const findMessage = (sql: SqlStorage, id: string): MessageRow | undefined =>
  sql
    .exec<MessageRow>(
      `SELECT m.n, m.id, m.revision, r.source, m.updated_at, t.id AS transactional, t.draft_message IS m.n AS draft
       FROM email_messages m
       JOIN message_revisions r ON r.n = m.revision
       LEFT JOIN templates t ON t.n = m.template
       WHERE m.id = ?`,
      id,
    )
    .toArray()[0];

/** The source of a row. Rows of older versions have fewer fields, and some that are no part of a source. */
export const sourceOf = ({ source }: Pick<MessageRow, "source">): MessageSource => {
  const stored = JSON.parse(source) as Record<string, unknown>;
  const fields = Object.entries(emptySource).map(([field, empty]) => [field, stored[field] ?? empty]);
  return Object.fromEntries(fields) as MessageSource;
};

/** A compiled revision. */
export const readRevision = (sql: SqlStorage, n: number): CompiledMessage =>
  JSON.parse(
    sql.exec<{ compiled: string }>("SELECT compiled FROM message_revisions WHERE n = ?", n).one().compiled,
  ) as CompiledMessage;

/** Content of a revision, both as JSON. */
export type Content = { source: string; compiled: string };

/** Content of the revision that a message has now. */
export const contentOf = (sql: SqlStorage, id: string): Content =>
  sql
    .exec<Content>(
      "SELECT r.source, r.compiled FROM email_messages m JOIN message_revisions r ON r.n = m.revision WHERE m.id = ?",
      id,
    )
    .one();

/** Adds a message of a template with its first revision. */
export const addMessage = ({ sql, now, id }: Context, template: number, content: Content) => {
  const { n } = sql
    .exec<{ n: number }>(
      "INSERT INTO email_messages (id, template, revision, created_at, updated_at) VALUES (?, ?, 0, ?, ?) RETURNING n",
      ...[id("msg"), template, now, now],
    )
    .one();
  return { n, revision: addRevision({ sql, now }, n, content) };
};

/** Adds a revision, which becomes the content of its message. */
export const addRevision = (
  { sql, now }: Pick<Context, "sql" | "now">,
  message: number,
  { source, compiled }: Content,
): number => {
  const { n } = sql
    .exec<{ n: number }>(
      "INSERT INTO message_revisions (message, source, compiled, created_at) VALUES (?, ?, ?, ?) RETURNING n",
      ...[message, source, compiled, now],
    )
    .one();
  sql.exec("UPDATE email_messages SET revision = ?, updated_at = ? WHERE n = ?", n, now, message);
  return n;
};
