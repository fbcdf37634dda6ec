import { pageOf } from "../../../lib/contract/pagination.ts";
import type { Handlers } from "../base/handler.ts";
import { dataVariablesOf, findTemplate, type TemplateRow, templatesWith } from "./templates.ts";

const shown = (origin: string, row: TemplateRow) => ({
  id: row.id,
  url: `${origin}/v1/transactional-emails/${encodeURIComponent(row.id)}`,
  name: row.name,
  draftEmailMessageId: row.draft_id,
  publishedEmailMessageId: row.published_id,
  transactionalGroupId: null,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
  dataVariables: dataVariablesOf(row),
});

export const transactionalEmails: Handlers<"transactionalEmails"> = {
  /** Transactional emails with their message ids, newest first. */
  list({ sql, origin }, input) {
    const { total, rows } = templatesWith(sql, input.status ?? "published");
    const query = input.status === undefined ? {} : { status: input.status };
    const item = (row: TemplateRow) => shown(origin, row);
    return pageOf(`${origin}/v1/transactional-emails`, input, total, rows, item, query);
  },

  /** One transactional email, published or not. */
  get({ sql, origin }, { transactionalId }) {
    const row = findTemplate(sql, transactionalId);
    if (row) return { body: shown(origin, row) };
    const message = `There is no transactional email with the id "${transactionalId}". GET /v1/transactional-emails?status=all lists them.`;
    return { refusal: { code: "transactional_not_found", path: "transactionalId", message } };
  },
};
