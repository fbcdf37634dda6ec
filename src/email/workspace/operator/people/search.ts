import type { Refusal } from "../../../../lib/contract/errors.ts";
import { DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { contactsByNumber, type StoredContact } from "../../contacts/contact-rows.ts";
import { readMailingList } from "../../contacts/lists.ts";
import type { Context, Result } from "../../core/context.ts";
import { suppressedKeys } from "../../sending/suppression.ts";
import { readAudience, type SearchAudience } from "./audience.ts";
import { addressBeginning, LAST } from "./beginning.ts";
import { type Position, positionAfter, positionOf } from "./position.ts";

/** The slice is smaller if the evaluator may check each contact. */
export const SLICE = 20_000;
export const SLICE_TO_JUDGE = 2_000;
const BATCH = 100;

export type Search = Pick<
  AdminInput<"contacts.list">,
  "q" | "list" | "subscribed" | "suppressed" | "segmentId" | "filter"
>;
/** `at`: Unix ms. `matches`: 1 before the suppression filter; with `unsure` 1, the evaluator decides too. */
type Looked = { n: number; key: string | number; emailKey: string | null; at: number; matches: number; unsure: number };

type Wanted = { cursor?: string | undefined; most: number; slice?: number };
type Found = {
  found: { n: number; emailKey: string | null }[];
  looked: number;
  last: { position: Position; at: number } | undefined;
};

/** Returns matching contacts, newest first. `q` finds address prefixes, then user id prefixes. */
export const searchContacts = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { cursor, perPage = DEFAULT_PER_PAGE, ...search }: AdminInput<"contacts.list">,
): Result<unknown> => {
  const found = findContacts({ sql, now }, search, { cursor, most: perPage });
  return "refusal" in found ? found : page(sql, found);
};

export const findContacts = (
  { sql, now }: Pick<Context, "sql" | "now">,
  search: Search,
  { cursor, most, slice = SLICE }: Wanted,
): Found | { refusal: Refusal } => {
  const { q = "", list } = search;
  if (list !== undefined && !readMailingList(sql, list)) {
    const message = `There is no mailing list "${list}". GET /admin/teams/{team}/lists lists the ids.`;
    return { refusal: { code: "mailing_list_not_found", path: "list", message } };
  }
  const from = positionOf(cursor, q === "" ? "n" : "email");
  if ("refusal" in from) return from;
  const audience = readAudience(sql, search, now);
  if ("refusal" in audience) return audience;
  const size = audience.unsure === undefined ? slice : Math.min(slice, SLICE_TO_JUDGE);
  const found: Looked[] = [];
  let looked = 0;
  let last: Found["last"];
  for (const order of q === "" ? (["n"] as const) : (["email", "userId"] as const)) {
    if (order === "email" && from.order === "userId") continue;
    const start = from.order === order ? from.after : undefined;
    for (const batch of batchesOf(look(sql, order, { search, audience }, start, size - looked))) {
      const shown = new Set(matching(sql, batch, search, audience).map(({ n }) => n));
      for (const row of batch) {
        if (shown.has(row.n) && found.length === most) return { found, looked, last };
        if (shown.has(row.n)) found.push(row);
        looked += 1;
        last = { position: { order, after: row.key }, at: row.at };
      }
    }
    if (looked >= size) return { found, looked, last };
  }
  return { found, looked, last: undefined };
};

const look = (
  sql: SqlStorage,
  order: Position["order"],
  { search: { q = "", list, subscribed }, audience }: { search: Search; audience: SearchAudience },
  start: string | number | undefined,
  most: number,
): Iterable<Looked> => {
  const key = addressBeginning(q);
  const column = COLUMNS[order];
  const [where, ...bounds] =
    order === "n"
      ? ["n < ?", start ?? Number.MAX_SAFE_INTEGER]
      : [
          `${column} ${start === undefined ? ">=" : ">"} ? AND ${column} < ?`,
          ...rangeOf(order === "email" ? key : q, start),
        ];
  const filters: [condition: string, ...values: string[]][] = [
    ...(subscribed === undefined ? [] : [[`data ->> '$.subscribed' = ${subscribed ? 1 : 0}`] as [string]]),
    ...(list === undefined
      ? []
      : [["EXISTS (SELECT 1 FROM json_each(data, '$.mailingLists') WHERE key = ?)", list] as [string, string]]),
    ...(order === "userId"
      ? [["coalesce(email_key < ? OR email_key >= ?, 1)", key, key + LAST] as [string, string, string]]
      : []),
  ];
  // The first parameter belongs to the audience, even if its SQL does not use it.
  const matches = ["?1 IS NOT NULL", audience.sql, ...filters.map(([condition]) => condition)].join(" AND ");
  return sql.exec<Looked>(
    `SELECT ${matches} AS matches, ${audience.unsure ?? "0"} AS unsure,
       n, ${column} AS key, email_key AS emailKey, created_at AS at FROM contacts
     WHERE ${where} ORDER BY ${column} ${order === "n" ? "DESC" : ""} LIMIT ${most}`,
    audience.parameters,
    ...filters.flatMap(([, ...values]) => values),
    ...bounds,
  );
};

const COLUMNS = { n: "n", email: "email_key", userId: "user_id" } as const;

const rangeOf = (beginning: string, start: string | number | undefined) => [start ?? beginning, beginning + LAST];

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

const page = (sql: SqlStorage, { found: rows, last }: Found) => {
  const byNumber = new Map(
    contactsByNumber(
      sql,
      rows.map(({ n }) => n),
    ).map((contact) => [contact.n, contact]),
  );
  const suppressed = new Set(
    suppressedKeys(
      sql,
      rows.flatMap(({ emailKey: key }) => key ?? []),
    ),
  );
  const isNewest = last?.position.order === "n";
  return {
    body: {
      data: rows.flatMap(({ n, emailKey: key }) => {
        const contact = byNumber.get(n);
        return contact ? [summaryOf(contact, key !== null && suppressed.has(key))] : [];
      }),
      next: last === undefined ? null : positionAfter(last.position),
      searchedTo: last !== undefined && isNewest ? isoOf(last.at) : null,
    },
  };
};

const summaryOf = ({ id, email, userId, data, createdAt, updatedAt }: StoredContact, suppressed: boolean) => ({
  id,
  email,
  userId,
  firstName: data.firstName,
  lastName: data.lastName,
  subscribed: data.subscribed,
  optInStatus: data.optInStatus,
  mailingLists: Object.keys(data.mailingLists),
  suppressed,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});
