import { compile, compileLine, type Parts } from "../../lmx/compile.ts";
import { variablesOf } from "../../lmx/draw/parts.ts";
import type { Problem } from "../../lmx/problem.ts";
import type { Context } from "../base/context.ts";
import { nextNumber } from "../base/numbers.ts";
import type { SampleTemplate } from "./samples/sample.ts";

/** What a revision stores, so that a send only fills slots. `variables` are those of all parts: "data.amount". */
export type CompiledTemplate = {
  subject: Parts;
  fromName: Parts;
  fromEmail: Parts;
  html: Parts;
  text: Parts;
  variables: string[];
};

/** Compiles every field of a template. `compiled` is absent when any problem is an error. */
const compileTemplate = (source: SampleTemplate): { compiled?: CompiledTemplate; problems: Problem[] } => {
  const line = (field: "subject" | "previewText" | "fromName" | "fromEmail") =>
    compileLine(source[field], "transactional");
  const [subject, preview, fromName, fromEmail] = [
    line("subject"),
    line("previewText"),
    line("fromName"),
    line("fromEmail"),
  ];
  const lines = [subject, preview, fromName, fromEmail].flatMap(({ problems }) => problems);
  if (!subject.parts || !preview.parts || !fromName.parts || !fromEmail.parts) return { problems: lines };

  const body = compile(source.lmx, "transactional", { subject: subject.parts, preview: preview.parts });
  const problems = [...lines, ...body.problems];
  if (!body.compiled) return { problems };
  const { html, text } = body.compiled;
  const parts = { subject: subject.parts, fromName: fromName.parts, fromEmail: fromEmail.parts, html, text };
  return { compiled: { ...parts, variables: variablesOf(...Object.values(parts)) }, problems };
};

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

/** A revision as compiled when it was made. */
export const readRevision = (sql: SqlStorage, n: number): CompiledTemplate =>
  JSON.parse(
    sql.exec<{ compiled: string }>("SELECT compiled FROM template_revisions WHERE n = ?", n).one().compiled,
  ) as CompiledTemplate;
