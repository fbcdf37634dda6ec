import type { Refusal } from "../../../lib/contract/errors.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../lib/contract/pagination.ts";
import { readingSql } from "../../../lib/counted-sql.ts";
import { type Parts, textOf, variablesOf } from "../../../lib/lmx/draw/parts.ts";
import { fill, type Values } from "../../../lib/lmx/fill.ts";
import { fold, foldedWords, hasWords } from "../../../lib/names/fold.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import { listed, subjectsOf } from "./shown-send.ts";

export const SLICE = 10_000;
/** Characters of kept values that a search by subject reads of one mail. */
const MAX_KEPT = 20_000;
/** Rare states. Only these have an index. */
const TROUBLES: readonly string[] = ["bounced", "complained", "not_sent", "failed", "unknown"];
/** The maximum lead of a row number over its time, in ms: mails of one moment, or a clock set back. */
const AHEAD_MS = 60_000;

type Input = AdminInput<"sends.list">;

/** Returns matching sends, newest first. Numbers increase with time, so new sends do not shift later pages. */
export const searchSends = (
  context: Pick<Context, "sql" | "now">,
  input: Input,
): { body: unknown } | { refusal: Refusal } => {
  const { sql, rowsRead } = readingSql(context.sql);
  const before = beforeOf(input.cursor);
  if (typeof before !== "number") return before;
  const perPage = input.perPage ?? DEFAULT_PER_PAGE;
  const found: number[] = [];
  let looked = 0;
  let last: Looked | undefined;
  const answer = (end: Looked | undefined) => {
    const body = page(sql, found, end);
    return { body: { ...body, rowsRead: rowsRead() } };
  };
  for (const row of look({ sql, now: context.now }, input, before)) {
    if (row.matches && found.length === perPage) return answer(last);
    looked += 1;
    last = row;
    if (row.matches) found.push(row.n);
  }
  return answer(looked < SLICE ? undefined : last);
};

type Looked = { n: number; at: number; matches: number };

const OF_TEMPLATE = `EXISTS (SELECT 1 FROM message_revisions r JOIN email_messages m ON m.n = r.message
  WHERE r.n = sends.revision AND m.template = (SELECT n FROM templates WHERE id = ?))`;

const OF_SUBJECT = `EXISTS (SELECT 1 FROM (SELECT ? AS found) WHERE
  sends.revision IN (SELECT value FROM json_each(found, '$.revisions')) OR sends.n IN (SELECT value FROM json_each(found, '$.sends')))`;

type Conditions = [condition: string, value: string | number][];

const conditions = (of: Conditions): string => of.map(([condition]) => condition).join(" AND ");

/** Returns the contents, and the mails with kept values, that have these words in the subject, as JSON. */
const withSubject = (
  { sql, now }: Pick<Context, "sql" | "now">,
  words: string,
  bounds: Conditions,
  listed: string,
): string => {
  const among = `SELECT n, revision FROM sends WHERE ${conditions(bounds)}${listed} ORDER BY n DESC LIMIT ${SLICE}`;
  const values = bounds.map(([, value]) => value);
  const used = sql
    .exec<{ n: number; subject: string }>(
      `SELECT r.n, r.compiled->>'$.subject' AS subject FROM message_revisions r WHERE r.n IN (SELECT revision FROM (${among}))`,
      ...values,
    )
    .toArray();
  const wanted = fold(words);
  const revisions: number[] = [];
  const filled = new Map<number, Parts>();
  for (const { n, subject } of used) {
    const parts = JSON.parse(subject) as Parts;
    if (fold(textOf(parts)).includes(wanted)) revisions.push(n);
    else if (variablesOf(parts).length > 0) filled.set(n, parts);
  }
  const sends: number[] = [];
  if (filled.size > 0) {
    const kept = sql.exec<{ n: number; revision: number; data: string }>(
      `SELECT s.n, s.revision, k.data FROM (${among}) s JOIN kept_values k ON k.send = s.n
       WHERE s.revision IN (SELECT value FROM json_each(?)) AND k.until > ? AND length(k.data) <= ${MAX_KEPT}`,
      ...values,
      JSON.stringify([...filled.keys()]),
      now,
    );
    for (const { n, revision, data } of kept) {
      const parts = filled.get(revision);
      if (parts && fold(fill(parts, JSON.parse(data) as Values)).includes(wanted)) sends.push(n);
    }
  }
  return JSON.stringify({ revisions, sends });
};

/**
 * Returns mails below `before` with these words in the subject as it was written, newest first. `last`: the last that was
 * looked at, if there are more than `slice`.
 */
export const sendsBySubject = (
  sql: SqlStorage,
  words: string,
  { before, most, slice }: { before: number; most: number; slice: number },
): { found: number[]; last: number | undefined } => {
  const rows = sql
    .exec<{ n: number; revision: number }>(
      "SELECT n, revision FROM sends WHERE n < ? ORDER BY n DESC LIMIT ?",
      before,
      slice,
    )
    .toArray();
  const used = [...new Set(rows.map(({ revision }) => revision))];
  const folded = foldedWords(words);
  const wanted = new Set(
    [...subjectsOf(sql, used)].flatMap(([n, subject]) => (hasWords(fold(subject), folded) ? [n] : [])),
  );
  const found = rows.filter(({ revision }) => wanted.has(revision)).map(({ n }) => n);
  if (found.length > most) return { found: found.slice(0, most), last: found[most - 1] };
  return { found, last: rows.length < slice ? undefined : rows.at(-1)?.n };
};

const look = ({ sql, now }: Pick<Context, "sql" | "now">, input: Input, before: number) => {
  const { to, state, since, until, class: mailClass, template, campaign, workflow, subject } = input;
  const inTime = until === undefined ? before : Math.min(before, (until + AHEAD_MS) * 1_000);
  const bounds: Conditions = [
    ["n < ?", inTime],
    ...(since === undefined ? [] : [["n >= ?", since * 1_000] as [string, number]]),
    ...(to === undefined ? [] : [["recipient_key = ?", emailKey(to)] as [string, string]]),
  ];
  // SQLite uses the partial index only for a constant state. The index of addresses is better if it fits.
  const listed = to === undefined && state !== undefined && TROUBLES.includes(state) ? ` AND state = '${state}'` : "";
  const filters: Conditions = [
    ["created_at >= ?", since ?? 0],
    ["created_at < ?", until ?? Number.MAX_SAFE_INTEGER],
    ...(state === undefined ? [] : [["state = ?", state] as [string, string]]),
    ...(mailClass === undefined ? [] : [["class = ?", mailClass] as [string, string]]),
    ...[campaign, workflow].flatMap((id) => (id === undefined ? [] : [["origin IS ?", id] as [string, string]])),
    ...(subject === undefined
      ? []
      : [[OF_SUBJECT, withSubject({ sql, now }, subject, bounds, listed)] as [string, string]]),
    ...(template === undefined ? [] : [[OF_TEMPLATE, template] as [string, string]]),
  ];
  return sql.exec<Looked>(
    `SELECT n, created_at AS at, ${conditions(filters)} AS matches FROM sends WHERE ${conditions(bounds)}${listed} ORDER BY n DESC LIMIT ${SLICE}`,
    ...[...filters, ...bounds].map(([, value]) => value),
  );
};

const page = (sql: SqlStorage, found: readonly number[], last: Looked | undefined) => ({
  data: listed(sql, found),
  next: last === undefined ? null : cursorAfter(last.n),
  searchedTo: last === undefined ? null : isoOf(last.at),
});
