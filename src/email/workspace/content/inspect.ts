import type { Kind, Library } from "../../lmx/compile.ts";
import type { Known } from "../../lmx/guardian/facts.ts";
import { guardian, type Verdict } from "../../lmx/guardian/guardian.ts";
import type { CompiledMessage } from "../../types/message.ts";
import { compileMessage, type FieldProblem } from "./compile-message.ts";
import { libraryOf } from "./library.ts";
import type { MessageSource } from "./message-source.ts";
import { type MessageRow, sourceOf } from "./messages.ts";

/** Compiles a message as a send needs it, and judges the result. */
export const inspect = (
  source: MessageSource,
  kind: Kind,
  library: Library,
  known: Known = {},
): { compiled: CompiledMessage | undefined; verdict: Verdict } => {
  const { compiled, problems } = compileMessage(source, kind, library);
  const subject = { message: source, kind, library, html: compiled?.html, problems, known };
  return { compiled, verdict: guardian(subject) };
};

/** Names of the data variables without a fallback in the published message of a draft; undefined where there is none. */
const requiredOf = (sql: SqlStorage, draft: MessageRow): ReadonlySet<string> | undefined => {
  const [row] = sql
    .exec<{ compiled: string }>(
      `SELECT r.compiled FROM templates t JOIN message_revisions r ON r.n = t.published
       WHERE t.id = ? AND t.published_message IS NOT ?`,
      ...[draft.transactional, draft.n],
    )
    .toArray();
  if (!row) return undefined;
  const { variables, fallbacks = {} } = JSON.parse(row.compiled) as CompiledMessage;
  return new Set(variables.filter((name) => !Object.hasOwn(fallbacks, name)).map((name) => name.slice("data.".length)));
};

/** Compiles and judges a stored message of a transactional email. */
export const inspectStored = (sql: SqlStorage, row: MessageRow) => {
  const source = sourceOf(row);
  const required = row.draft ? requiredOf(sql, row) : undefined;
  const known = required === undefined ? {} : { requiredDataVariables: required };
  return inspect(source, "transactional", libraryOf(sql, source.lmx), known);
};

/** The errors of a verdict as problems of their fields. */
export const problemsOf = ({ errors }: Verdict): FieldProblem[] =>
  errors.flatMap(({ rule, items }) =>
    items.map(({ path, line, column, fix, component }) => ({
      ...{ severity: "error" as const, code: rule, message: fix, line, column },
      field: path.split(":")[0] as keyof MessageSource,
      ...(component === undefined ? {} : { component }),
    })),
  );
