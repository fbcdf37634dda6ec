import { pageOf } from "../../../lib/contract/pagination.ts";
import { compileMessage } from "../../../lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../lib/lmx/message/message-source.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { Handlers } from "../core/handler.ts";
import { newestMessage } from "./cascade.ts";
import { invalidContent } from "./content-refusals.ts";
import { groupNamed } from "./groups.ts";
import { inspectStored, problemsOf } from "./inspect.ts";
import { libraryOf } from "./library.ts";
import { revisionId } from "./messages.ts";
import { confirmationFault } from "./samples.ts";
import {
  addDraft,
  addTemplate,
  copyPublished,
  dataVariablesOf,
  findTemplate,
  publishDraft,
  type TemplateRow,
  templateNotFound,
  templatesWith,
} from "./templates.ts";

const MAX_TEMPLATES = 10_000;

const shown = (origin: string, row: TemplateRow) => ({
  id: row.id,
  url: `${origin}/v1/transactional-emails/${encodeURIComponent(row.id)}`,
  name: row.name,
  draftEmailMessageId: row.draft_id,
  publishedEmailMessageId: row.published_id,
  transactionalGroupId: row.group_id,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
  dataVariables: dataVariablesOf(row),
});

const shownWithDraft = (origin: string, row: TemplateRow) => ({
  ...shown(origin, row),
  draftEmailMessageContentRevisionId: row.draft_revision === null ? null : revisionId(row.draft_revision),
});

const again = (sql: SqlStorage, id: string): TemplateRow => findTemplate(sql, id) as TemplateRow;

export const transactionalEmails: Omit<Handlers<"transactionalEmails">, "metrics"> = {
  list({ sql, origin }, input) {
    const { total, rows } = templatesWith(sql, input.status ?? "published");
    const query = input.status === undefined ? {} : { status: input.status };
    const item = (row: TemplateRow) => shown(origin, row);
    return pageOf(`${origin}/v1/transactional-emails`, input, total, rows, item, query);
  },

  get({ sql, origin }, { transactionalId }) {
    const row = findTemplate(sql, transactionalId);
    return row ? { body: shown(origin, row) } : templateNotFound(transactionalId);
  },

  create(context, { name, transactionalGroupId }) {
    const { sql, origin } = context;
    if (templatesWith(sql, "all").total >= MAX_TEMPLATES) {
      const message = `The team has ${MAX_TEMPLATES} transactional emails, and cannot have more. Use one of them.`;
      return { refusal: { code: "too_many_transactional_emails", message } };
    }
    const group = groupOf(sql, transactionalGroupId);
    if (group && "refusal" in group) return group;
    const { compiled, uses } = compileMessage(emptySource, "transactional", libraryOf(sql, ""));
    const id = context.id("tpl");
    const template = addTemplate(context, { id, name, group: group?.n ?? null });
    addDraft(context, template, { source: JSON.stringify(emptySource), compiled: JSON.stringify(compiled), uses });
    return { body: shownWithDraft(origin, again(sql, id)) };
  },

  update({ sql, now, origin }, { transactionalId, name, transactionalGroupId }) {
    const row = findTemplate(sql, transactionalId);
    if (!row) return templateNotFound(transactionalId);
    const group = groupOf(sql, transactionalGroupId);
    if (group && "refusal" in group) return group;
    sql.exec(
      "UPDATE templates SET name = ?, content_group = coalesce(?, content_group), updated_at = ? WHERE n = ?",
      name ?? row.name,
      group?.n ?? null,
      now,
      row.n,
    );
    return { body: shown(origin, again(sql, transactionalId)) };
  },

  /** Returns the draft, or a new copy of the published message. */
  draft(context, { transactionalId }) {
    const { sql, origin } = context;
    const row = findTemplate(sql, transactionalId);
    if (!row) return templateNotFound(transactionalId);
    if (row.draft_id === null && row.published_id !== null) copyPublished(context, row.n, row.published_id);
    return { body: shownWithDraft(origin, again(sql, transactionalId)) };
  },

  publish(context, { transactionalId }) {
    const { sql, origin } = context;
    const row = findTemplate(sql, transactionalId);
    if (!row) return templateNotFound(transactionalId);
    const draft = row.draft_id === null ? undefined : newestMessage(context, row.draft_id);
    if (!draft) {
      const message = `There is no draft to publish. POST /v1/transactional-emails/${transactionalId}/draft gives one to edit.`;
      return { refusal: { code: "no_draft", path: "transactionalId", message } };
    }
    const { compiled, verdict } = inspectStored(sql, draft);
    const errors = problemsOf(verdict);
    if (errors.length > 0) return { refusal: invalidContent(errors) };
    const fault = compiled && confirmationFault(row.id, compiled);
    if (fault) return { refusal: { code: "invalid_content", path: "lmx", message: `${fault}.` } };
    publishDraft(context, row.n);
    return { body: shown(origin, again(sql, transactionalId)) };
  },
};

const groupOf = (sql: SqlStorage, id: string | undefined) =>
  id === undefined ? undefined : groupNamed(sql, "transactional", id);
