import { pageOf } from "../../../lib/contract/pagination.ts";
import type { Handler } from "../runtime/operations.ts";

type Row = {
  n: number;
  id: string;
  name: string;
  created_at: number;
  updated_at: number;
  draft_id: string | null;
  published_id: string | null;
  variables: string | null;
};

/** Condition of each `status` of the list. A published email that is being edited has a draft message too. */
const having = {
  all: "1",
  draft: "t.draft_message IS NOT NULL",
  published: "t.published IS NOT NULL",
} as const;

const SELECT = `SELECT t.n, t.id, t.name, t.created_at, t.updated_at, d.id AS draft_id, p.id AS published_id,
    json_extract(r.compiled, '$.variables') AS variables
  FROM templates t
  LEFT JOIN email_messages d ON d.n = t.draft_message
  LEFT JOIN email_messages p ON p.n = t.published_message
  LEFT JOIN template_revisions r ON r.n = t.published`;

const shown = (row: Row) => ({
  id: row.id,
  url: `/v1/transactional-emails/${encodeURIComponent(row.id)}`,
  name: row.name,
  draftEmailMessageId: row.draft_id,
  publishedEmailMessageId: row.published_id,
  transactionalGroupId: null,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
  dataVariables: (JSON.parse(row.variables ?? "[]") as string[]).map((name) => name.slice("data.".length)),
});

/** Transactional emails with their message ids, newest first. */
export const listTransactionalEmails: Handler<"transactionalEmails.list"> = ({ sql }, input) => {
  const status = input.status ?? "published";
  const where = having[status];
  const { total } = sql.exec<{ total: number }>(`SELECT count(*) AS total FROM templates t WHERE ${where}`).one();
  const rows = (before: number, count: number) =>
    sql.exec<Row>(`${SELECT} WHERE ${where} AND t.n < ? ORDER BY t.n DESC LIMIT ?`, before, count).toArray();
  const query = input.status === undefined ? {} : { status };
  return pageOf("/v1/transactional-emails", input, total, rows, shown, query);
};

/** One transactional email, published or not. */
export const getTransactionalEmail: Handler<"transactionalEmails.get"> = ({ sql }, { transactionalId }) => {
  const row = sql.exec<Row>(`${SELECT} WHERE t.id = ?`, transactionalId).toArray()[0];
  if (row) return { body: shown(row) };
  const message = `There is no transactional email with the id "${transactionalId}". GET /v1/transactional-emails?status=all has those there are.`;
  return { refusal: { code: "transactional_not_found", path: "transactionalId", message } };
};
