import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { isAscii } from "../../../lib/util/email-key.ts";
import { DAY_ALONE } from "./evaluate.ts";
import { type Action, isDataField, type TeamFacts } from "./facts.ts";
import { type Instant, timeOf, timeOfDays } from "./instant.ts";
import { type Question, questionOf } from "./meaning.ts";

/**
 * A filter as SQL on `contacts` without false exclusions. The evaluator checks rows if `unsure` is not 0.
 * `parameters` is JSON for `?1`.
 */
export type Prefilter = { sql: string; unsure: string | undefined; parameters: string };

/**
 * Builds SQL for "one of these messages was sent to `contacts.n`, opened or clicked". `messages` is SQL for a JSON
 * array.
 */
export type ActivitySql = (action: Action, messages: string) => string;

/** Exact without `unsure`. */
type Part = { sql: string; unsure?: string };
type Bind = (value: unknown) => string;

/**
 * Compiles filters that must all match. Values use one parameter, because a statement has few; property names are
 * inlined letters and digits.
 */
export const prefilterOf = (
  filters: readonly AudienceFilter[],
  team: TeamFacts,
  activity: ActivitySql,
  now: number,
): Prefilter => {
  const values: unknown[] = [];
  const bind: Bind = (value) => `?1->>'$[${values.push(value) - 1}]'`;
  const unsure: string[] = [];
  const kept = filters.map(({ match, conditions }) => {
    const parts = conditions.map((condition) => partOf(questionOf(condition, team), bind, activity, now));
    unsure.push(...parts.flatMap((part) => part.unsure ?? []));
    return joined(
      parts.map(({ sql }) => sql),
      match === "all" ? "AND" : "OR",
    );
  });
  return {
    sql: kept.length > 0 ? joined(kept, "AND") : "1",
    unsure: unsure.length > 0 ? `coalesce(${joined(unsure, "OR")}, 0)` : undefined,
    parameters: JSON.stringify(values),
  };
};

/** A balanced tree, because SQLite of a Durable Object limits expression depth to 100. */
const joined = (terms: readonly string[], operator: "AND" | "OR"): string => {
  if (terms.length <= 1) return terms[0] ?? "0";
  const middle = Math.ceil(terms.length / 2);
  return `(${joined(terms.slice(0, middle), operator)} ${operator} ${joined(terms.slice(middle), operator)})`;
};

const columnOf = (key: string): string => {
  switch (key) {
    case "email":
      return "contacts.email";
    case "userId":
      return "contacts.user_id";
    case "createdAt":
      return "contacts.created_at";
    case "updatedAt":
      return "contacts.updated_at";
    default:
      if (isDataField(key)) return `contacts.data->>'$.${key}'`;
      // Names are checked at creation; this is the last defense against SQL injection.
      if (!/^[A-Za-z0-9]+$/.test(key)) throw new Error(`"${key}" is no name of a property.`);
      // One path: two steps take three times as long.
      return `contacts.data->>'$.properties.${key}'`;
  }
};

/** Characters that `trim()` of JavaScript removes (ECMAScript, section 12.2 and 12.3), as SQL. */
const BLANK =
  "char(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279)";

/** A missing value is NULL and satisfies negated conditions. */
const exact = (sql: string, negate: boolean): Part => ({ sql: negate ? `coalesce(NOT (${sql}), 1)` : sql });

const partOf = (question: Question, bind: Bind, activity: ActivitySql, now: number): Part => {
  switch (question.ask) {
    case "everyone":
      return { sql: question.negate ? "0" : "1" };
    case "empty":
      return { sql: `coalesce(trim(${columnOf(question.key)}, ${BLANK}), '') ${question.negate ? "<>" : "="} ''` };
    case "email":
      return exact(`contacts.email_key = ${bind(question.emailKey)}`, question.negate);
    case "text":
      return textPart(question, bind);
    case "contains":
      return containsPart(question, bind);
    case "number": {
      const operator = { equals: "=", greaterThan: ">", lessThan: "<" }[question.compare];
      return exact(`${columnOf(question.key)} ${operator} ${bind(question.number)}`, question.negate);
    }
    case "flag":
      return exact(`${columnOf(question.key)} = ${question.flag ? 1 : 0}`, question.negate);
    case "date":
      return exact(dateSql(question, bind, now), question.negate);
    case "optIn":
      return exact(`${columnOf("optInStatus")} IS ${bind(question.status)}`, question.negate);
    case "activity":
      return activityPart(question, bind, activity);
  }
};

const activityPart = (
  { action, lacks, messages, negate }: Question & { ask: "activity" },
  bind: Bind,
  activity: ActivitySql,
): Part => {
  if (messages.length === 0) return { sql: negate ? "1" : "0" };
  const given = bind(messages);
  const done = activity(action, given);
  return exact(lacks === undefined ? done : `(${done} AND NOT ${activity(lacks, given)})`, negate);
};

const hasNonAscii = (column: string): string => `octet_length(${column}) > length(${column})`;

/** Non-ASCII characters that become ASCII in NFC, or partly in NFC and lower case (Unicode 17). */
const TO_ASCII: readonly (readonly [from: string, nfc: string, lower: string])[] = [
  ["\u037e", ";", ";"],
  ["\u1fef", "`", "`"],
  ["\u212a", "K", "k"],
  ["\u0130", "", "i\u0307"],
];

const withAscii = (column: string, text: string, form: 1 | 2): string =>
  TO_ASCII.reduce((sql, pair) => {
    const to = pair[form];
    return to !== "" && text.includes(to.charAt(0)) ? `replace(${sql}, '${pair[0]}', '${to}')` : sql;
  }, column);

/** SQLite has no NFC, so the evaluator judges unequal non-ASCII texts. */
const textPart = ({ key, text, negate }: Question & { ask: "text" }, bind: Bind): Part => {
  const column = columnOf(key);
  if (isAscii(text)) return exact(`${withAscii(column, text, 1)} = ${bind(text)}`, negate);
  const differs = `${column} <> ${bind(text)}`;
  const unclear = hasNonAscii(column);
  return negate ? { sql: `coalesce(${differs}, 1)`, unsure: unclear } : { sql: unclear, unsure: differs };
};

/** SQLite's `lower()` is ASCII only, and ASCII may wrongly match before a combining accent. */
const containsPart = ({ key, text, negate }: Question & { ask: "contains" }, bind: Bind): Part => {
  const column = columnOf(key);
  const unsure = hasNonAscii(column);
  if (!isAscii(text)) return { sql: negate ? "1" : unsure, unsure };
  const position = `instr(lower(${withAscii(column, text, 2)}), ${bind(text)})`;
  return { sql: negate ? `coalesce(${position} = 0 OR ${unsure}, 1)` : `${position} > 0`, unsure };
};

/** Days alone have bounds of their own where the time zone is not UTC. */
const dateSql = (question: Question & { ask: "date" }, bind: Bind, now: number): string => {
  const { key, from, to } = question;
  const column = columnOf(key);
  const hasDays = [from, to].some((instant) => instant && "at" in instant && instant.ofDays !== undefined);
  const sql = boundsSql(question, bind, (instant) => timeOf(instant, now));
  if (!hasDays || !column.startsWith("contacts.data")) return sql;
  const ofDays = boundsSql(question, bind, (instant) => timeOfDays(instant, now));
  return `iif(${column} LIKE '%${DAY_ALONE}', ${ofDays}, ${sql})`;
};

/** ISO text compares like time, except for years over four digits: signs sort before digits, and "+" before "-". */
const boundsSql = (
  { key, from, to }: Question & { ask: "date" },
  bind: Bind,
  instantOf: (instant: Instant) => number,
): string => {
  const column = columnOf(key);
  const isText = column.startsWith("contacts.data");
  const bound = (instant: Instant, more = 0) => {
    const at = instantOf(instant) + more;
    return bind(isText ? isoOf(at) : at);
  };
  if (from && to) return `${column} BETWEEN ${bound(from)} AND ${bound(to)}`;
  if (!isText) return from ? `${column} >= ${bound(from)}` : to ? `${column} <= ${bound(to)}` : `${column} IS NOT NULL`;
  if (from) return `${column} NOT BETWEEN '-' AND ${bound(from, -1)}`;
  return to ? `${column} BETWEEN '-' AND ${bound(to)}` : `${column} IS NOT NULL`;
};
