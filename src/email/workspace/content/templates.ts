import type { Context } from "../base/context.ts";
import { nextNumber } from "../base/numbers.ts";
import { type CompiledTemplate, compileTemplate } from "./compile-template.ts";
import type { SampleTemplate } from "./samples/sample.ts";

/** A template with its message ids. `variables`: JSON array of the full names its published revision needs. */
export type TemplateRow = {
  n: number;
  id: string;
  name: string;
  created_at: number;
  updated_at: number;
  draft_id: string | null;
  published_id: string | null;
  variables: string | null;
};

/** Condition of each status. A published template that is being edited has a draft message too. */
const conditions = {
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

/** The templates with a status, for `pageOf`: their number, and the newest ones below a row number. */
export const templatesWith = (sql: SqlStorage, status: keyof typeof conditions) => {
  const where = conditions[status];
  const { total } = sql.exec<{ total: number }>(`SELECT count(*) AS total FROM templates t WHERE ${where}`).one();
  const rows = (before: number, count: number) =>
    sql.exec<TemplateRow>(`${SELECT} WHERE ${where} AND t.n < ? ORDER BY t.n DESC LIMIT ?`, before, count).toArray();
  return { total, rows };
};

export const findTemplate = (sql: SqlStorage, id: string): TemplateRow | undefined =>
  sql.exec<TemplateRow>(`${SELECT} WHERE t.id = ?`, id).toArray()[0];

/** Names of the data variables of a template, without "data.". */
export const dataVariablesOf = ({ variables }: TemplateRow): string[] =>
  (JSON.parse(variables ?? "[]") as string[]).map((name) => name.slice("data.".length));

/** `n` of the revision a template sends; null for a draft, undefined when there is no such template. */
export const publishedRevision = (sql: SqlStorage, id: string): number | null | undefined =>
  sql.exec<{ published: number | null }>("SELECT published FROM templates WHERE id = ?", id).toArray()[0]?.published;

/** A compiled revision. */
export const readRevision = (sql: SqlStorage, n: number): CompiledTemplate =>
  JSON.parse(
    sql.exec<{ compiled: string }>("SELECT compiled FROM template_revisions WHERE n = ?", n).one().compiled,
  ) as CompiledTemplate;

/**
 * Adds a template and publishes its first revision.
 *
 * @throws when it does not compile: the caller gives templates that are part of this package
 */
export const publishTemplate = ({ sql, now, id }: Context, source: SampleTemplate): void => {
  const { compiled, problems } = compileTemplate(source);
  if (!compiled) throw new Error(`The template ${source.id} does not compile: ${problems[0]?.message}`);
  const n = nextNumber(sql, "templates", now);
  sql.exec(
    "INSERT INTO templates (n, id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
    ...[n, source.id, source.name, now, now],
  );
  const revision = sql
    .exec<{ n: number }>(
      "INSERT INTO template_revisions (template, source, compiled, created_at) VALUES (?, ?, ?, ?) RETURNING n",
      ...[n, JSON.stringify(source), JSON.stringify(compiled), now],
    )
    .one();
  const message = sql
    .exec<{ n: number }>(
      "INSERT INTO email_messages (id, template, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?) RETURNING n",
      ...[id("msg"), n, revision.n, now, now],
    )
    .one();
  sql.exec("UPDATE templates SET published = ?, published_message = ? WHERE n = ?", revision.n, message.n, n);
};
