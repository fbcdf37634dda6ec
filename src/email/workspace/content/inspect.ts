import type { Finding, Verdict } from "../../../lib/lmx/guardian/guardian.ts";
import type { FieldProblem } from "../../../lib/lmx/message/compile-message.ts";
import { inspect } from "../../../lib/lmx/message/inspect.ts";
import type { MessageSource } from "../../../lib/lmx/message/message-source.ts";
import type { JudgedMail } from "../../policy/readiness/faults.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import { libraryOf } from "./library.ts";
import { type MessageRow, requiredVariables, sourceOf } from "./messages.ts";

const requiredOf = (sql: SqlStorage, draft: MessageRow): ReadonlySet<string> | undefined => {
  const [row] = sql
    .exec<{ compiled: string }>(
      `SELECT r.compiled FROM templates t JOIN message_revisions r ON r.n = t.published
       WHERE t.id = ? AND t.published_message IS NOT ?`,
      draft.transactional,
      draft.n,
    )
    .toArray();
  if (!row) return undefined;
  return new Set(requiredVariables(JSON.parse(row.compiled) as CompiledMessage));
};

/** Guardian rule for messages that did not take a theme or component change. */
export const KEPT = "mailspan.changeNotTaken";

/** Advice for the author of an unchanged message. */
export const keptAdvice = (reason: string): string =>
  `Sends still have the content from before the last change of its themes and components, or of the team's defaults, because of this: ${reason}`;

const keptFinding = (reason: string): Finding => ({
  rule: KEPT,
  title: "A change that the message could not take",
  description: "A theme, a component or a default of the team was changed, and the message could not be sent with it.",
  items: [{ label: "lmx", path: "lmx", line: 1, column: 1, fix: keptAdvice(reason) }],
});

export const inspectStored = (sql: SqlStorage, row: MessageRow) => {
  const source = sourceOf(row);
  const required = row.draft ? requiredOf(sql, row) : undefined;
  const known = required === undefined ? {} : { requiredDataVariables: required };
  const { compiled, verdict } = inspect(source, row.kind, libraryOf(sql, source.lmx), known);
  if (row.kept === null) return { compiled, verdict };
  return { compiled, verdict: { ...verdict, warnings: [keptFinding(row.kept), ...verdict.warnings] } };
};

const UNFILLED: Readonly<Record<string, string>> = {
  missingFallbackContactProperties: "contact",
  missingFallbackEventProperties: "event",
};

export const judgedMail = (sql: SqlStorage, row: MessageRow): JudgedMail => {
  const { errors, warnings } = inspectStored(sql, row).verdict;
  const isUnfilled = ({ rule }: Finding) => Object.hasOwn(UNFILLED, rule);
  return {
    subject: sourceOf(row).subject,
    errors: errors.flatMap(({ items }) => items.map(({ path, fix }) => ({ field: path, fix }))),
    unfilled: warnings
      .filter(isUnfilled)
      .flatMap(({ rule, items }) => items.map(({ codeName }) => `${UNFILLED[rule]}.${codeName}`)),
    warnings: warnings
      .filter((warning) => !isUnfilled(warning))
      .flatMap(({ items }) => items.slice(0, 1).map(({ path, fix }) => ({ field: path, fix }))),
  };
};

export const problemsOf = ({ errors }: Verdict): FieldProblem[] =>
  errors.flatMap(({ rule, items }) =>
    items.map(({ path, line, column, fix, component }) => ({
      severity: "error" as const,
      code: rule,
      message: fix,
      line,
      column,
      field: path.split(":")[0] as keyof MessageSource,
      ...(component === undefined ? {} : { component }),
    })),
  );
