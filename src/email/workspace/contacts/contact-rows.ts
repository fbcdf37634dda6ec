import type * as z from "zod";
import type { SettableField } from "../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { contact } from "../../../lib/contract/fields.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { LinkTarget } from "../../types/recipient.ts";
import { type Context, wake } from "../core/context.ts";
import { END_WAITING } from "../core/end-mail-sql.ts";
import { ensureRowsOf } from "../core/mailer-claims.ts";
import { nextContact } from "../core/numbers.ts";
import { sweepContact } from "../core/sweeps.ts";
import { eraseNames, noteAdded, noteRenamed } from "./contact-blocks.ts";

export type StoredValue = string | number | boolean;

type ApiContact = z.output<typeof contact>;

/** Contact data in the JSONB column. Dates are ISO 8601 in UTC; `mailingLists`: subscribed lists. */
export type ContactData = Pick<ApiContact, SettableField | "optInStatus"> & {
  properties: Record<string, StoredValue>;
  /** When and where the person agreed to get mail, as an import says. `at`: ISO 8601. */
  consent?: { at?: string; source?: string };
};

export type StoredContact = {
  /** Only encrypted links name it. */
  n: number;
  id: string;
  /** As given. */
  email: string | null;
  userId: string | null;
  data: ContactData;
  /** Unix ms, as is `updatedAt`. */
  createdAt: number;
  updatedAt: number;
};

/** Defaults, also used if a standard field is set to null. */
export const defaults: ContactData = {
  firstName: null,
  lastName: null,
  source: "API",
  subscribed: true,
  userGroup: "",
  optInStatus: null,
  mailingLists: {},
  properties: {},
};

type Row = {
  n: number;
  id: string;
  email: string | null;
  user_id: string | null;
  data: string;
  created_at: number;
  updated_at: number;
};

const COLUMNS = "n, id, email, user_id, json(data) AS data, created_at, updated_at";

export const contactByEmail = (sql: SqlStorage, email: string): StoredContact | undefined =>
  toContact(sql.exec<Row>(`SELECT ${COLUMNS} FROM contacts WHERE email_key = ?`, emailKey(email)).toArray()[0]);

export const contactByUserId = (sql: SqlStorage, userId: string): StoredContact | undefined =>
  toContact(sql.exec<Row>(`SELECT ${COLUMNS} FROM contacts WHERE user_id = ?`, userId).toArray()[0]);

export const contactNotFound = (given: string, path: string): { refusal: Refusal } => {
  const message = `There is no contact with the id, the email address or the userId "${given}".`;
  return { refusal: { code: "contact_not_found", path, message } };
};

/** Contacts with these addresses (as `emailKey`) or user ids. */
export const contactsByIdentifier = (
  sql: SqlStorage,
  { keys, userIds }: { keys: readonly string[]; userIds: readonly string[] },
): StoredContact[] =>
  sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM contacts WHERE email_key IN (SELECT value FROM json_each(?))
       UNION ALL SELECT ${COLUMNS} FROM contacts WHERE user_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(keys),
      JSON.stringify(userIds),
    )
    .toArray()
    .flatMap((row) => toContact(row) ?? []);

export const contactInRow = (sql: SqlStorage, n: number): StoredContact | undefined =>
  toContact(sql.exec<Row>(`SELECT ${COLUMNS} FROM contacts WHERE n = ?`, n).toArray()[0]);

/** Contact of a signed link. A row number may be reused, its id is not. */
export const contactOfLink = (sql: SqlStorage, { row, contact }: LinkTarget): StoredContact | undefined =>
  toContact(sql.exec<Row>(`SELECT ${COLUMNS} FROM contacts WHERE n = ? AND id = ?`, row, contact).toArray()[0]);

/** Existing contacts with these ids, oldest first. */
export const contactsById = (sql: SqlStorage, ids: readonly string[]): StoredContact[] =>
  sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM contacts WHERE id IN (SELECT value FROM json_each(?)) ORDER BY n`,
      JSON.stringify(ids),
    )
    .toArray()
    .flatMap((row) => toContact(row) ?? []);

/** Existing contacts with these row numbers, oldest first. */
export const contactsByNumber = (sql: SqlStorage, numbers: readonly number[]): StoredContact[] =>
  sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM contacts WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n`,
      JSON.stringify(numbers),
    )
    .toArray()
    .flatMap((row) => toContact(row) ?? []);

const toContact = (row: Row | undefined): StoredContact | undefined =>
  row && {
    n: row.n,
    id: row.id,
    email: row.email,
    userId: row.user_id,
    data: JSON.parse(row.data) as ContactData,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };

/** Inserts contacts with row numbers in their order. */
export const insertContacts = (sql: SqlStorage, contacts: readonly Omit<StoredContact, "n">[]): StoredContact[] => {
  const first = nextContact(sql);
  const numbered = contacts.map((contact, index) => ({ n: first + index, ...contact }));
  const rows = numbered.map(({ n, id, email, userId, data, createdAt, updatedAt }) => [
    n,
    id,
    email,
    email === null ? null : emailKey(email),
    userId,
    data,
    createdAt,
    updatedAt,
  ]);
  noteAdded(sql, numbered);
  sql.exec(
    `INSERT INTO contacts (n, id, email, email_key, user_id, data, created_at, updated_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, jsonb(value -> 5), value ->> 6, value ->> 7 FROM json_each(?)`,
    JSON.stringify(rows),
  );
  return numbered;
};

/** Writes differences only: naming an unchanged indexed column costs a written row. */
export const changeRow = (sql: SqlStorage, before: StoredContact, after: StoredContact): void => {
  const set = ["data = jsonb(?)", "updated_at = ?"];
  const values: (string | number | null)[] = [JSON.stringify(after.data), after.updatedAt];
  if (after.email !== before.email) {
    set.push("email = ?");
    values.push(after.email);
    const key = after.email === null ? null : emailKey(after.email);
    if (before.email === null || key !== emailKey(before.email)) {
      ensureRowsOf(sql, before.n);
      set.push("email_key = ?");
      values.push(key);
    }
  }
  if (after.userId !== before.userId) {
    set.push("user_id = ?");
    values.push(after.userId);
  }
  if (isRenamed(before, after)) noteRenamed(sql, after);
  sql.exec(`UPDATE contacts SET ${set.join(", ")} WHERE n = ?`, ...values, before.n);
};

const isRenamed = (before: StoredContact, after: StoredContact): boolean =>
  after.email !== before.email ||
  after.userId !== before.userId ||
  after.data.firstName !== before.data.firstName ||
  after.data.lastName !== before.data.lastName;

/** Deletes a contact with all its data. Its waiting marketing mail is not sent. */
export const removeContact = (context: Pick<Context, "sql" | "now" | "after">, { n }: StoredContact): void => {
  const { sql, now } = context;
  ensureRowsOf(sql, n);
  sweepContact(sql, n);
  const own = "SELECT send FROM engagement WHERE contact = ?";
  sql.exec(`DELETE FROM send_hits WHERE send IN (${own})`, n);
  // A paused workflow would keep the address until it resumes.
  sql.exec(`UPDATE sends SET ${END_WAITING} WHERE n IN (${own}) AND state = 'queued'`, "contact_deleted", now, n);
  sql.exec(`UPDATE sends SET contact = NULL WHERE n IN (${own})`, n);
  sql.exec("DELETE FROM engagement WHERE contact = ?", n);
  sql.exec("DELETE FROM events WHERE contact = ?", n);
  sql.exec(
    `INSERT INTO workflow_counts (workflow, kind, reason, count) SELECT workflow, 'ended', 'contact_deleted', count(*) FROM runs
     WHERE contact = ? AND wake IS NOT NULL GROUP BY workflow ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    n,
  );
  sql.exec("DELETE FROM runs WHERE contact = ?", n);
  const recipients = sql
    .exec<{ status: string }>(
      `DELETE FROM recipients WHERE campaign IN (SELECT n FROM campaigns) AND contact = ?
       RETURNING (SELECT status FROM campaigns WHERE n = campaign) AS status`,
      n,
    )
    .toArray();
  // Its campaign may have waited only for this recipient.
  if (recipients.some(({ status }) => status === "Sending")) wake(context, now);
  sql.exec("DELETE FROM left_lists WHERE contact = ?", n);
  eraseNames(sql, n);
  sql.exec("DELETE FROM contacts WHERE n = ?", n);
};

export const toResponse = ({
  id,
  email,
  userId,
  data: { consent: _, ...data },
  createdAt,
  updatedAt,
}: StoredContact): ApiContact => ({
  ...data.properties,
  id,
  email,
  userId,
  ...data,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});
