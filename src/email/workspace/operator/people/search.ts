import type { Refusal } from "../../../../lib/contract/errors.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { readingSql } from "../../../../lib/counted-sql.ts";
import { foldedWords } from "../../../../lib/names/fold.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { contactsWith } from "../../contacts/contact-blocks.ts";
import { contactsByNumber, type StoredContact, toResponse } from "../../contacts/contact-rows.ts";
import { readMailingList } from "../../contacts/lists.ts";
import type { Context, Result } from "../../core/context.ts";
import { suppressedKeys } from "../../sending/suppression.ts";
import { listed } from "../../sends/shown-send.ts";
import { readAudience, type SearchAudience } from "./audience.ts";

/** The slice is smaller if the evaluator may check each contact. */
export const SLICE = 20_000;
export const SLICE_TO_JUDGE = 2_000;
const BATCH = 100;

export type Search = Pick<
  AdminInput<"contacts.list">,
  "q" | "list" | "subscribed" | "suppressed" | "segmentId" | "filter"
>;
/** `matches`: 1 before the suppression filter; with `unsure` 1, the evaluator decides too. */
type Looked = { n: number; emailKey: string | null; matches: number; unsure: number };

type Wanted = { cursor?: string | undefined; most: number; slice?: number };
/** `last`: number of the last contact that was looked at, if there are more. */
type Found = { found: { n: number; emailKey: string | null }[]; last: number | undefined };

/** Returns matching contacts, newest first. All words of `q` are in the name, the address or the user id. */
export const searchContacts = (
  { sql: all, now }: Pick<Context, "sql" | "now">,
  { cursor, perPage = DEFAULT_PER_PAGE, properties, ...search }: AdminInput<"contacts.list">,
): Result<unknown> => {
  const { sql, rowsRead } = readingSql(all);
  const found = findContacts({ sql, now }, search, { cursor, most: perPage });
  if ("refusal" in found) return found;
  const body = page(sql, found, properties);
  return { body: { ...body, rowsRead: rowsRead() } };
};

/** When the contact was created to which a search has come, if there are more. */
export const searchedTo = (sql: SqlStorage, last: number | undefined): string | null => {
  if (last === undefined) return null;
  const [row] = sql.exec<{ at: number }>("SELECT created_at AS at FROM contacts WHERE n >= ? ORDER BY n LIMIT 1", last);
  return row ? isoOf(row.at) : null;
};

export const findContacts = (
  { sql, now }: Pick<Context, "sql" | "now">,
  search: Search,
  { cursor, most, slice = SLICE }: Wanted,
): Found | { refusal: Refusal } => {
  const { list } = search;
  if (list !== undefined && !readMailingList(sql, list)) {
    const message = `There is no mailing list "${list}". GET /admin/teams/{team}/lists lists the ids.`;
    return { refusal: { code: "mailing_list_not_found", path: "list", message } };
  }
  const before = beforeOf(cursor);
  if (typeof before !== "number") return before;
  const audience = readAudience(sql, search, now);
  if ("refusal" in audience) return audience;
  const size = audience.unsure === undefined ? slice : Math.min(slice, SLICE_TO_JUDGE);
  const found: Looked[] = [];
  let cost = 0;
  let last: number | undefined;
  for (const looked of candidates(sql, { search, audience }, before, size)) {
    const shown = new Set(matching(sql, looked.rows, search, audience).map(({ n }) => n));
    for (const row of looked.rows) {
      if (shown.has(row.n) && found.length === most) return { found, last };
      if (shown.has(row.n)) found.push(row);
      last = row.n;
    }
    last = looked.to;
    cost += looked.cost;
    if (cost >= size) return { found, last };
  }
  return { found, last: undefined };
};

/** `to`: the smallest number that was looked at. `cost`: in contacts. */
type Candidates = { rows: Looked[]; to: number; cost: number };

function* candidates(
  sql: SqlStorage,
  given: { search: Search; audience: SearchAudience },
  before: number,
  most: number,
): Generator<Candidates> {
  const { q = "" } = given.search;
  if (q === "") {
    for (const rows of batchesOf(look(sql, given, "n < ? ORDER BY n DESC LIMIT ?", [before, most])))
      yield { rows, to: rows.at(-1)?.n ?? 0, cost: rows.length };
    return;
  }
  for (const { found, to, cost } of contactsWith(sql, foldedWords(q), before)) {
    const numbers = JSON.stringify(found.map(({ n }) => n));
    const where = "n IN (SELECT value FROM json_each(?)) ORDER BY n DESC";
    const rows = found.length === 0 ? [] : look(sql, given, where, [numbers]).toArray();
    yield { rows, to, cost: cost + rows.length };
  }
}

const look = (
  sql: SqlStorage,
  { search: { list, subscribed }, audience }: { search: Search; audience: SearchAudience },
  where: string,
  bounds: (number | string)[],
) => {
  const filters: [condition: string, ...values: string[]][] = [
    ...(subscribed === undefined ? [] : [[`data ->> '$.subscribed' = ${subscribed ? 1 : 0}`] as [string]]),
    ...(list === undefined
      ? []
      : [["EXISTS (SELECT 1 FROM json_each(data, '$.mailingLists') WHERE key = ?)", list] as [string, string]]),
  ];
  // The first parameter belongs to the audience, even if its SQL does not use it.
  const matches = ["?1 IS NOT NULL", audience.sql, ...filters.map(([condition]) => condition)].join(" AND ");
  return sql.exec<Looked>(
    `SELECT ${matches} AS matches, ${audience.unsure ?? "0"} AS unsure, n, email_key AS emailKey FROM contacts WHERE ${where}`,
    audience.parameters,
    ...filters.flatMap(([, ...values]) => values),
    ...bounds,
  );
};

function* batchesOf(rows: Iterable<Looked>): Generator<Looked[]> {
  let batch: Looked[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const matching = (
  sql: SqlStorage,
  batch: readonly Looked[],
  { suppressed }: Search,
  { judge }: SearchAudience,
): Looked[] => {
  const kept = batch.filter(({ matches }) => matches === 1);
  const refused = judge(kept.filter(({ unsure }) => unsure !== 0).map(({ n }) => n));
  const rows = kept.filter(({ n }) => !refused.has(n));
  if (suppressed === undefined) return rows;
  const keys = rows.flatMap(({ emailKey: key }) => key ?? []);
  const found = new Set(suppressedKeys(sql, keys));
  return rows.filter(({ emailKey: key }) => (key !== null && found.has(key)) === suppressed);
};

const page = (sql: SqlStorage, { found: rows, last }: Found, properties: readonly string[] = []) => {
  const byNumber = new Map(
    contactsByNumber(
      sql,
      rows.map(({ n }) => n),
    ).map((contact) => [contact.n, contact]),
  );
  const keys = rows.flatMap(({ emailKey: key }) => key ?? []);
  const suppressed = new Set(suppressedKeys(sql, keys));
  const lastMails = lastMailsTo(sql, keys);
  return {
    data: rows.flatMap(({ n, emailKey: key }) => {
      const contact = byNumber.get(n);
      if (!contact) return [];
      const mail = { suppressed: key !== null && suppressed.has(key), lastMail: lastMails.get(key) ?? null };
      return [{ ...summaryOf(contact), ...mail, properties: chosenOf(contact, properties) }];
    }),
    next: last === undefined ? null : cursorAfter(last),
    searchedTo: searchedTo(sql, last),
  };
};

/** Returns the newest mail to each address that has one. */
const lastMailsTo = (sql: SqlStorage, keys: readonly string[]) => {
  const newest = sql
    .exec<{ key: string; n: number }>(
      `SELECT key, n FROM (SELECT value AS key, (SELECT n FROM sends WHERE recipient_key = value AND preview = 0
         ORDER BY n DESC LIMIT 1) AS n FROM json_each(?)) WHERE n IS NOT NULL`,
      JSON.stringify(keys),
    )
    .toArray();
  const mails = listed(
    sql,
    newest.map(({ n }) => n),
  );
  return new Map<string | null, (typeof mails)[number] | undefined>(newest.map(({ key }, at) => [key, mails[at]]));
};

const chosenOf = (contact: StoredContact, names: readonly string[]) => {
  const values = toResponse(contact) as Record<string, unknown>;
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(values, name) ? values[name] : null]));
};

const summaryOf = ({ id, email, userId, data, createdAt, updatedAt }: StoredContact) => ({
  id,
  email,
  userId,
  firstName: data.firstName,
  lastName: data.lastName,
  subscribed: data.subscribed,
  optInStatus: data.optInStatus,
  mailingLists: Object.keys(data.mailingLists),
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});
