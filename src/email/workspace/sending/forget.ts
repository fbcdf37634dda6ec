import type { ForgottenAtHost } from "../../../lib/contract/forgotten.ts";
import { ERASED, encodedHintsOf, type Finder, finderOf, type Names, sureNames } from "../../../lib/names/finder.ts";
import type { AdminInput } from "../../types/workspace.ts";
import type { Context } from "../base/context.ts";
import { contactByEmail, contactByUserId, emailKey, removeContact, type StoredContact } from "../contacts/row.ts";
import { keepDigest, suppressedKeys } from "./suppression.ts";

/** What a forget leaves. The names of other people's properties are the team's own data. */
const NOT_REACHED = [
  "Sends to addresses that the person had before: forget each of these addresses.",
  "Properties of other contacts, and events of other contacts, that name the person.",
  "Idempotency keys that contain the address: they stay for 24 hours, so that nothing is sent twice.",
  "Mail that has left, and copies of the database of the last 30 days at Cloudflare.",
];

/**
 * Erases a person from the team's data: the contact, its events, and recipient, values and errors of the sends. Mail that
 * waits is discarded, also mail to others that names the person. The rows of sends stay, because statistics count them, and a
 * suppression stays as a digest. Running it again changes nothing.
 */
export const forgetPerson = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { emails: given, userIds, dryRun }: AdminInput<"people.forget">,
): { body: ForgottenAtHost; names: Names } => {
  const contacts = contactsOf(sql, given, userIds);
  const emails = [...given, ...contacts.flatMap(({ email }) => email ?? [])];
  const ids = [...userIds, ...contacts.flatMap(({ userId }) => userId ?? [])];
  const keys = [...new Set(emails.map(emailKey))];
  const own = sendsTo(sql, keys, emails);
  const spellings = [...keys, ...emails, ...own.map(({ recipient }) => recipient)].map((one) => one.toLowerCase());
  const names: Names = { emails: [...new Set(spellings)], ids: [...new Set(ids)] };
  const others = sendsNaming(sql, names).filter(({ n }) => own.every((row) => row.n !== n));
  const isIdle = (row: Row) => !isInFlight(row, now);
  const finished = [...own, ...others].every(isIdle);
  const erasable = { own: own.filter(isIdle), others: others.filter(isIdle) };
  const suppressions = suppressedKeys(sql, keys);
  const gone = finished ? contacts : [];
  const erased = {
    ...{ contacts: gone.length, events: countEvents(sql, gone), sends: erasable.own.length, mails: 0 },
    discarded: [...erasable.own, ...erasable.others].filter(isWaiting).length,
  };
  if (!dryRun) {
    for (const send of erasable.own) eraseOwn(sql, send, finderOf(names), now);
    for (const send of erasable.others) eraseOther(sql, send, finderOf(sureNames(names)), now);
    keepDigest(sql, suppressions);
    // Only then: until it is finished, a request by user id finds the address in the contact.
    for (const contact of gone) removeContact(sql, contact);
  }
  const body = {
    ...{ success: true as const, dryRun, finished, addresses: keys, erased },
    kept: { suppressions: suppressions.length },
    ...(dryRun ? { notReached: NOT_REACHED } : {}),
    message: messageOf(dryRun, finished),
  };
  return { body, names };
};

const messageOf = (dryRun: boolean, finished: boolean): string =>
  dryRun
    ? "Dry run: nothing was erased. A real run would erase these counts."
    : finished
      ? "The person was forgotten."
      : "Not finished: a mail is in flight. Repeat the request in a minute.";

const contactsOf = (sql: SqlStorage, emails: readonly string[], userIds: readonly string[]): StoredContact[] => {
  const found = [
    ...emails.map((email) => contactByEmail(sql, email)),
    ...userIds.map((userId) => contactByUserId(sql, userId)),
  ].filter((contact) => contact !== undefined);
  return [...new Map(found.map((contact) => [contact.n, contact])).values()];
};

const countEvents = (sql: SqlStorage, contacts: readonly StoredContact[]): number =>
  sql
    .exec<{ count: number }>(
      "SELECT count(*) AS count FROM events WHERE contact IN (SELECT value FROM json_each(?))",
      JSON.stringify(contacts.map(({ n }) => n)),
    )
    .one().count;

type Row = {
  n: number;
  recipient: string;
  state: string;
  attempts: number;
  due: number | null;
  error: string | null;
  variables: string | null;
};

const COLUMNS = "n, recipient, state, attempts, due, error, variables";

/** Sends to these addresses. A domain may be in Unicode or in ASCII: what is not ASCII is compared by its key. */
const sendsTo = (sql: SqlStorage, keys: readonly string[], emails: readonly string[]): Row[] =>
  sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM sends
       WHERE lower(recipient) IN (SELECT value FROM json_each(?)) OR octet_length(recipient) > length(recipient)`,
      JSON.stringify([...keys, ...emails.map((email) => email.toLowerCase())]),
    )
    .toArray()
    .filter(({ recipient }) => keys.includes(emailKey(recipient)));

/** Sends whose values or errors name the person. In a mail to others, a short id is more likely a count. */
const sendsNaming = (sql: SqlStorage, names: Names): Row[] => {
  const finder = finderOf(sureNames(names));
  return sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM sends WHERE (variables IS NOT NULL OR error IS NOT NULL) AND EXISTS
         (SELECT 1 FROM json_each(?) WHERE instr(lower(coalesce(variables, '') || ' ' || coalesce(error, '')), value))`,
      JSON.stringify(encodedHintsOf(sureNames(names))),
    )
    .toArray()
    .filter(
      ({ variables, error }) => finder.isIn(variables ?? "") || (error !== null && finder.outOfText(error) !== error),
    );
};

/** True while an attempt has its lease. Its outcome would write the row again, and the inbox may get the mail. */
const isInFlight = ({ state, due }: Row, now: number): boolean => state === "sending" && due !== null && due > now;

/** True for a mail that waits: with the person's data erased, it cannot be sent. */
const isWaiting = ({ due }: Row): boolean => due !== null;

const eraseOwn = (sql: SqlStorage, row: Row, finder: Finder, now: number): void => {
  if (isWaiting(row)) discard(sql, row, now);
  const error = row.error === null ? null : finder.outOfText(row.error);
  sql.exec("UPDATE sends SET recipient = ?, error = coalesce(?, error) WHERE n = ?", ERASED, error, row.n);
};

const eraseOther = (sql: SqlStorage, row: Row, finder: Finder, now: number): void => {
  if (isWaiting(row)) discard(sql, row, now);
  if (row.error !== null) sql.exec("UPDATE sends SET error = ? WHERE n = ?", finder.outOfText(row.error), row.n);
};

/** An earlier attempt may have reached the sender: then the mail has failed, and is not certainly unsent. */
const discard = (sql: SqlStorage, { n, attempts }: Row, now: number): void => {
  sql.exec(
    "UPDATE sends SET state = ?, due = NULL, variables = NULL, error = coalesce(error, 'forgotten'), settled_at = ? WHERE n = ?",
    ...[attempts === 0 ? "not_sent" : "failed", now, n],
  );
};
