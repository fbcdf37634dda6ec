import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import { standardProperties } from "../../../../lib/contract/contact-fields.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { contactsByNumber } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { findSend, numberInId } from "../../sending/sends.ts";
import { readSend } from "../../sends/send-rows.ts";
import { shown } from "../../sends/shown-send.ts";
import { addressBeginning, LAST } from "../people/beginning.ts";

type Found = Response<AdminContract["overview"]["search"]>["data"][number];

const MOST = 5;
const LOOKED_AT = 10_000;

/** Finds prefixes of addresses, user ids, names or ids. Contacts are read from indexes. */
export const searchEverything = ({ sql }: Pick<Context, "sql">, { q }: AdminInput<"overview.search">) => ({
  body: {
    data: [
      ...contacts(sql, q),
      ...Object.keys(TABLES).flatMap((kind) => named(sql, kind as Kind, q)),
      ...sends(sql, q),
    ],
  },
});

const contacts = (sql: SqlStorage, q: string): Found[] => {
  const beginsWith = (column: "email_key" | "user_id", beginning: string) =>
    sql
      .exec<{ n: number }>(
        `SELECT n FROM contacts WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column} LIMIT ${MOST}`,
        beginning,
        beginning + LAST,
      )
      .toArray()
      .map(({ n }) => n);
  const numbers = new Set([...beginsWith("email_key", addressBeginning(q)), ...beginsWith("user_id", q)]);
  const first = [...numbers].slice(0, MOST);
  const byNumber = new Map(contactsByNumber(sql, first).map((contact) => [contact.n, contact]));
  return first
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

const keyOf = (text: string): string => text.normalize("NFC").toLowerCase();

const named = (sql: SqlStorage, kind: Kind, q: string): Found[] => {
  const wanted = keyOf(q);
  const first: Named[] = [];
  const others: Named[] = [];
  const rows = sql.exec<Named>(`${TABLES[kind]} LIMIT ${LOOKED_AT}`);
  for (const row of kind === "property" ? [...standard(), ...rows] : rows) {
    const name = keyOf(row.name);
    if (name.startsWith(wanted) || row.id.toLowerCase().startsWith(wanted)) first.push(row);
    else if (name.includes(` ${wanted}`) && others.length < MOST) others.push(row);
    if (first.length === MOST) break;
  }
  return [...first, ...others].slice(0, MOST).map(({ id, name }) => ({ kind, id, name, detail: null }));
};

const standard = (): Named[] => standardProperties.map(({ name }) => ({ id: name, name }));

const sends = (sql: SqlStorage, q: string): Found[] => {
  // Any other id would cause a full table scan.
  const n = numberInId(q) === undefined ? undefined : findSend(sql, q);
  if (n === undefined) return [];
  const { id, to, meaning } = shown(readSend(sql, n));
  return [{ kind: "send", id, name: to, detail: meaning }];
};
