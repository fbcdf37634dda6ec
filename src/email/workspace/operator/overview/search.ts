import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import { standardProperties } from "../../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { readingSql } from "../../../../lib/counted-sql.ts";
import { beginsWords, fold, foldedWords, hasWords } from "../../../../lib/names/fold.ts";
import { emailKey } from "../../../../lib/util/email-key.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { BLOCK_COST, contactsWith } from "../../contacts/contact-blocks.ts";
import { contactsByNumber } from "../../contacts/contact-rows.ts";
import type { Context, Result } from "../../core/context.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import { findSend, numberInId } from "../../sending/sends.ts";
import { sendsBySubject } from "../../sends/search.ts";
import { readSend } from "../../sends/send-rows.ts";
import { shown, subjectsOf } from "../../sends/shown-send.ts";
import { addressBeginning, LAST } from "../people/beginning.ts";

type Found = Response<AdminContract["overview"]["search"]>["data"][number];

const MOST = 5;
const LOOKED_AT = 10_000;
/** One request looks at 2,000 blocks of contacts, and at this many mails. */
export const CONTACTS_COST = 2_000 * BLOCK_COST;
export const MAILS = 5_000;
/** A first answer that has someone from an index looks at a tenth of the blocks, so it comes at once. */
const AT_ONCE_COST = CONTACTS_COST / 10;

/** The row number before which a kind goes on, and how many more it may find. */
type Rest = { before: number; left: number };
type Position = { contacts: Rest | null; sends: Rest | null };
const START: Position = {
  contacts: { before: Number.MAX_SAFE_INTEGER, left: MOST },
  sends: { before: Number.MAX_SAFE_INTEGER, left: MOST },
};

/**
 * Finds people by name, address, domain or user id, mails by subject, recipient or id, and everything with a name. One
 * request looks at a bounded number of rows, and the next goes on.
 */
export const searchEverything = (
  { sql: all }: Pick<Context, "sql">,
  { q, cursor }: AdminInput<"overview.search">,
): Result<unknown> => {
  const { sql, rowsRead } = readingSql(all);
  const position = positionOf(cursor);
  if ("refusal" in position) return position;
  const known = contactsByBeginning(sql, q);
  const isFirst = cursor === undefined;
  const most = isFirst && known.length > 0 ? AT_ONCE_COST : CONTACTS_COST;
  const contacts = position.contacts && contactsByWords(sql, q, position.contacts, new Set(known), most);
  const mails = position.sends && sendsInSlice(sql, q, position.sends);
  const data = [
    ...shownContacts(sql, [...(isFirst ? known : []), ...(contacts?.found ?? [])]),
    ...(isFirst ? Object.keys(TABLES).flatMap((kind) => named(sql, kind as Kind, q)) : []),
    ...shownSends(sql, [...(isFirst ? sendsByIdOrRecipient(sql, q) : []), ...(mails?.found ?? [])]),
  ];
  const rest: Position = { contacts: contacts?.rest ?? null, sends: mails?.rest ?? null };
  const next = rest.contacts || rest.sends ? cursorOf(rest) : null;
  return { body: { data, next, rowsRead: rowsRead() } };
};

const positionOf = (cursor: string | undefined): Position | { refusal: Refusal } => {
  if (cursor === undefined) return START;
  const { contacts, sends } = Object(readCursor(cursor)) as Partial<Position>;
  if (isRest(contacts) && isRest(sends)) return { contacts, sends };
  const message = "cursor: not one that this search gave. Leave it out for the first page.";
  return { refusal: { code: "invalid_request", path: "cursor", message } };
};

const isRest = (given: unknown): given is Rest | null => {
  if (given === null) return true;
  const { before, left } = Object(given) as Partial<Rest>;
  return Number.isSafeInteger(before) && Number.isSafeInteger(left) && Number(left) > 0 && Number(left) <= MOST;
};

const contactsByBeginning = (sql: SqlStorage, q: string): number[] => {
  const beginsWith = (column: "email_key" | "user_id", beginning: string) =>
    sql
      .exec<{ n: number }>(
        `SELECT n FROM contacts WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column} LIMIT ${MOST}`,
        beginning,
        beginning + LAST,
      )
      .toArray()
      .map(({ n }) => n);
  return [...new Set([...beginsWith("email_key", addressBeginning(q)), ...beginsWith("user_id", q)])].slice(0, MOST);
};

/** Prefers contacts with words that begin so, and looks on for them through the whole slice. */
const contactsByWords = (
  sql: SqlStorage,
  q: string,
  { before, left }: Rest,
  known: ReadonlySet<number>,
  most: number,
) => {
  const words = foldedWords(q);
  const first: number[] = [];
  const others: number[] = [];
  let cost = 0;
  let last: number | undefined;
  for (const looked of contactsWith(sql, words, before)) {
    for (const { n, text } of looked.found) {
      if (known.has(n) || first.length === left) continue;
      if (beginsWords(text, words)) first.push(n);
      else if (others.length < left) others.push(n);
    }
    cost += looked.cost;
    if (first.length < left && cost < most) continue;
    last = looked.to;
    break;
  }
  const found = [...first, ...others].slice(0, left);
  const isMore = last !== undefined && last > 0 && found.length < left;
  return { found, rest: isMore ? { before: last as number, left: left - found.length } : null };
};

const shownContacts = (sql: SqlStorage, numbers: readonly number[]): Found[] => {
  const byNumber = new Map(contactsByNumber(sql, numbers).map((contact) => [contact.n, contact]));
  return numbers
    .flatMap((n) => byNumber.get(n) ?? [])
    .map(({ id, email, userId, data }) => {
      const name = [data.firstName, data.lastName].filter(Boolean).join(" ");
      const detail = [name, email === null ? null : userId].filter(Boolean).join(", ");
      return { kind: "contact", id, name: email ?? userId ?? id, detail: detail === "" ? null : detail };
    });
};

const TABLES = {
  transactionalEmail: "SELECT id, name FROM templates ORDER BY n DESC",
  list: "SELECT id, name FROM mailing_lists ORDER BY created_at DESC",
  segment: "SELECT id, name FROM segments ORDER BY n DESC",
  campaign: "SELECT id, name FROM campaigns ORDER BY n DESC",
  workflow: "SELECT id, name FROM workflows WHERE deleted_at IS NULL ORDER BY n DESC",
  property: "SELECT name AS id, label AS name FROM properties ORDER BY name",
} as const;
type Kind = keyof typeof TABLES;
type Named = { id: string; name: string };

const named = (sql: SqlStorage, kind: Kind, q: string): Found[] => {
  const words = foldedWords(q);
  const [whole, id] = [words.join(" "), q.toLowerCase()];
  const ranks: [Named[], Named[], Named[]] = [[], [], []];
  const rows = sql.exec<Named>(`${TABLES[kind]} LIMIT ${LOOKED_AT}`);
  for (const row of kind === "property" ? [...standard(), ...rows] : rows) {
    const name = fold(row.name);
    const isById = row.id.toLowerCase().startsWith(id);
    if (!isById && (words.length === 0 || !hasWords(name, words))) continue;
    const rank = isById || name.startsWith(whole) ? 0 : beginsWords(name, words) ? 1 : 2;
    if (ranks[rank].length < MOST) ranks[rank].push(row);
    if (ranks[0].length === MOST) break;
  }
  return ranks
    .flat()
    .slice(0, MOST)
    .map(({ id, name }) => ({ kind, id, name, detail: null }));
};

const standard = (): Named[] => standardProperties.map(({ name }) => ({ id: name, name }));

const sendsByIdOrRecipient = (sql: SqlStorage, q: string): number[] => {
  // Any other id would cause a full table scan.
  const n = numberInId(q) === undefined ? undefined : findSend(sql, q);
  if (n !== undefined) return [n];
  if (!q.includes("@")) return [];
  return sql
    .exec<{ n: number }>(`SELECT n FROM sends WHERE recipient_key = ? ORDER BY n DESC LIMIT ${MOST}`, emailKey(q))
    .toArray()
    .map((row) => row.n);
};

const sendsInSlice = (sql: SqlStorage, q: string, { before, left }: Rest) => {
  const { found, last } = sendsBySubject(sql, q, { before, most: left, slice: MAILS });
  const isMore = last !== undefined && found.length < left;
  return { found, rest: isMore ? { before: last, left: left - found.length } : null };
};

const shownSends = (sql: SqlStorage, numbers: readonly number[]): Found[] => {
  const rows = [...new Set(numbers)].map((n) => readSend(sql, n));
  const subjects = subjectsOf(
    sql,
    rows.map(({ revision }) => revision),
  );
  return rows.map((row) => {
    const { id, to, meaning } = shown(row);
    const subject = subjects.get(row.revision);
    return { kind: "send", id, name: subject ?? to, detail: subject === undefined ? meaning : `${to}: ${meaning}` };
  });
};
