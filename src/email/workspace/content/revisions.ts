import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../lib/contract/pagination.ts";
import { FALLBACKS, type MessageSource } from "../../../lib/lmx/message/message-source.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context, Result } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { emailMessages } from "./email-messages.ts";
import { findMessage, type MessageRow, messageNotFound, revisionId, sourceOf } from "./messages.ts";

type Row = { n: number; message: string; source: string; created_at: number };
type List = Response<AdminContract["revisions"]["list"]>;

const MESSAGES = `SELECT o.n FROM email_messages o JOIN email_messages own ON own.n = ?
  WHERE o.n = own.n OR (own.template IS NOT NULL AND o.template = own.template)`;

const READ = `SELECT r.n, m.id AS message, r.source, r.created_at
  FROM message_revisions r JOIN email_messages m ON m.n = r.message WHERE r.n = ? AND r.content IS NULL`;

const shown = ({ content }: MessageRow, row: Row): List["data"][number] => {
  const { subject, lmx } = sourceOf(row);
  return {
    id: revisionId(row.n),
    emailMessageId: row.message,
    subject,
    characters: lmx.length,
    createdAt: isoOf(row.created_at),
    isCurrent: row.n === content,
  };
};

/** An index avoids reading other content. */
const listRevisions = ({ sql }: Context, input: AdminInput<"revisions.list">): Result<List> => {
  const message = findMessage(sql, input.emailMessageId);
  if (!message) return messageNotFound(input.emailMessageId);
  const before = beforeOf(input.cursor);
  if (typeof before !== "number") return before;
  const perPage = input.perPage ?? DEFAULT_PER_PAGE;
  const numbers = sql
    .exec<{ n: number }>(
      `SELECT n FROM message_revisions WHERE content IS NULL AND message IN (${MESSAGES}) AND n < ? ORDER BY n DESC LIMIT ?`,
      message.n,
      before,
      perPage + 1,
    )
    .toArray();
  const page = numbers.slice(0, perPage);
  const data = page.map(({ n }) => shown(message, sql.exec<Row>(READ, n).one()));
  const last = page.at(-1);
  return { body: { data, next: numbers.length > perPage && last ? cursorAfter(last.n) : null } };
};

const find = ({ sql }: Context, message: MessageRow, id: string): { row: Row } | { refusal: Refusal } => {
  const n = Number(/^rev_(\d{1,15})$/.exec(id)?.[1] ?? 0);
  const [row] = sql.exec<Row>(`${READ} AND r.message IN (${MESSAGES})`, n, message.n).toArray();
  if (row) return { row };
  const text = `The message ${message.id} has no revision "${id}". GET /admin/teams/{team}/email-messages/${message.id}/revisions lists them.`;
  return { refusal: { code: "revision_not_found", path: "revisionId", message: text } };
};

const showRevision = (context: Context, input: AdminInput<"revisions.get">): Result<unknown> => {
  const message = findMessage(context.sql, input.emailMessageId);
  if (!message) return messageNotFound(input.emailMessageId);
  const found = find(context, message, input.revisionId);
  return "refusal" in found ? found : { body: { ...shown(message, found.row), content: sourceOf(found.row) } };
};

const changesTo = (before: MessageSource, after: MessageSource) => ({
  ...after,
  ...Object.fromEntries(
    FALLBACKS.map((field) => [
      field,
      { ...Object.fromEntries(Object.keys(before[field]).map((name) => [name, null])), ...after[field] },
    ]),
  ),
});

/** Restores a revision as a new edit. */
const restoreRevision = (
  context: Context,
  { emailMessageId, revisionId: id, expectedRevisionId }: AdminInput<"revisions.restore">,
): Result<unknown> => {
  const message = findMessage(context.sql, emailMessageId);
  if (!message) return messageNotFound(emailMessageId);
  const found = find(context, message, id);
  if ("refusal" in found) return found;
  const changes = changesTo(sourceOf(message), sourceOf(found.row));
  return emailMessages.update(context, { emailMessageId, expectedRevisionId, ...changes });
};

export const revisions: AdminHandlers<"revisions"> = {
  list: listRevisions,
  get: showRevision,
  restore: restoreRevision,
};
