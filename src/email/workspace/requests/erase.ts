import type { ErasedAtService } from "../../../lib/contract/admin/erased.ts";
import { ERASED, encodedHintsOf, type Finder, finderOf, type Names, sureNames } from "../../../lib/names/finder.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { contactByEmail, contactByUserId, removeContact, type StoredContact } from "../contacts/contact-rows.ts";
import { reportErased } from "../contacts/report.ts";
import type { Context } from "../core/context.ts";
import { HAS_NO_ANSWER, happenedTo, MAY_HAVE_LEFT } from "../core/end-mail-sql.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { ensureAllRows } from "../core/mailer-claims.ts";
import { type Look, NOT_SEARCHED, type Searched, searchInSlices, searchRest } from "../core/search-slices.ts";
import { dropKeptValues } from "../sending/kept-values.ts";
import { eventsOf } from "../sending/send-events.ts";
import { keepDigest, suppressedKeys } from "../sending/suppression.ts";
import { eraseEvents, lookForEvents } from "../webhooks/erase.ts";

/** The names of other people's properties are the team's data. */
const NOT_REACHED = [
  "Sends to addresses that the person had before: erase each of these addresses.",
  "Properties of other contacts, and events of other contacts, that name the person.",
  "Idempotency keys that contain the address: they stay for 24 hours, so that nothing is sent twice.",
  "Audience segments whose filters name the person: change or delete them.",
  "Imports that are not finished: cancel those with a file that names the person.",
  "Uploaded pictures that show or name the person: delete them.",
  "Outgoing webhooks that were delivered: their receivers keep what they got.",
  "Mail that has left, and copies of the database of the last 30 days at Cloudflare.",
];

type Input = AdminInput<"people.erase">;
type Found = { names: Names; sends: Searched; events: Searched };

const personOf = (sql: SqlStorage, { emails: given, userIds }: Input) => {
  const contacts = contactsOf(sql, given, userIds);
  const emails = [...given, ...contacts.flatMap(({ email }) => email ?? [])];
  const ids = [...userIds, ...contacts.flatMap(({ userId }) => userId ?? [])];
  const keys = [...new Set(emails.map(emailKey))];
  const own = sendsTo(sql, keys);
  const spellings = [...keys, ...emails, ...own.map(({ recipient }) => recipient)].map((one) => one.toLowerCase());
  const names: Names = { emails: [...new Set(spellings)], ids: [...new Set(ids)] };
  return { contacts, keys, own, names };
};

/** Searches the mails and outgoing events of all people in slices. The transaction looks only at what came later. */
const search = async (sql: SqlStorage, input: Input): Promise<Found> => {
  const { names } = personOf(sql, input);
  const sends = await searchInSlices(lookForSends(sql, names));
  return { names, sends, events: await searchInSlices(lookForEvents(sql, names)) };
};

const isSame = (a: Names, b: Names): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Erases a person's data idempotently and discards waiting mail. Send rows stay for statistics; a suppression stays
 * as a digest.
 */
const erasePerson = (
  context: Pick<Context, "sql" | "now" | "after">,
  input: Input,
  found: Found,
): { body: ErasedAtService; names: Names } => {
  const { sql, now } = context;
  const { dryRun } = input;
  if (!dryRun) ensureAllRows(sql);
  const { contacts, keys, own, names } = personOf(sql, input);
  // The contact may have another address since the search.
  const known = isSame(names, found.names) ? found : { sends: NOT_SEARCHED, events: NOT_SEARCHED };
  const named = searchRest(lookForSends(sql, names), known.sends);
  const others = sendsNaming(sql, names, named).filter(({ n }) => own.every((row) => row.n !== n));
  const isIdle = (row: Row) => !isInFlight(row);
  const finished = [...own, ...others].every(isIdle);
  const erasable = { own: own.filter(isIdle), others: others.filter(isIdle) };
  const suppressions = suppressedKeys(sql, keys);
  const gone = finished ? contacts : [];
  const outgoing = eraseEvents(sql, names, searchRest(lookForEvents(sql, names), known.events), dryRun);
  const erased = {
    contacts: gone.length,
    events: countEvents(sql, gone),
    sends: erasable.own.length,
    mails: 0,
    discarded: [...erasable.own, ...erasable.others].filter(isWaiting).length,
    ...(outgoing > 0 ? { outgoingWebhooks: outgoing } : {}),
  };
  if (!dryRun) {
    for (const send of erasable.own) eraseOwn(sql, send, finderOf(names), now);
    for (const send of erasable.others) eraseOther(sql, send, finderOf(sureNames(names)), now);
    keepDigest(sql, suppressions);
    for (const key of keys) sql.exec("DELETE FROM soft_bounces WHERE email_key = ?", key);
    // The contact is deleted last, because a request by user id needs its address.
    for (const contact of gone) {
      removeContact(context, contact);
      reportErased({ sql, now }, contact);
    }
  }
  const body = {
    success: true as const,
    dryRun,
    finished,
    addresses: keys,
    erased,
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
      ? "The person was erased."
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
  state: string;
  due: number | null;
  error: string | null;
  reply: string | null;
  recipient: string;
  variables: string | null;
  idempotency_key: string | null;
  history: string | null;
  events: string;
};

const COLUMNS = `n, state, due, error, reply, recipient,
  coalesce(variables, (SELECT data FROM kept_values WHERE send = sends.n)) AS variables, idempotency_key,
  history, (SELECT json_group_array(detail) FROM ${happenedTo("sends.n")}) AS events`;

const sendsTo = (sql: SqlStorage, keys: readonly string[]): Row[] =>
  sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM sends WHERE recipient_key IN (SELECT value FROM json_each(?))`,
      JSON.stringify(keys),
    )
    .toArray();

const WORDS = ["variables", "error", "reply", "idempotency_key", "events"]
  .map((column) => `coalesce(${column}, '')`)
  .join(" || ' ' || ");

/** Looks for mails that may name a person. A short id in a mail to others is more likely a count. */
const lookForSends = (sql: SqlStorage, names: Names): Look => {
  const hints = JSON.stringify(encodedHintsOf(sureNames(names)));
  return (after, limit) =>
    sql
      .exec<ReturnType<Look>[number]>(
        `SELECT n, EXISTS (SELECT 1 FROM json_each(?) WHERE instr(text, value)) AS named
         FROM (SELECT n, lower(${WORDS}) AS text FROM (SELECT ${COLUMNS} FROM sends WHERE n > ? ORDER BY n LIMIT ?))`,
        hints,
        after,
        limit,
      )
      .toArray();
};

const sendsNaming = (sql: SqlStorage, names: Names, numbers: readonly number[]): Row[] => {
  const finder = finderOf(sureNames(names));
  return sql
    .exec<Row>(`SELECT ${COLUMNS} FROM sends WHERE n IN (SELECT value FROM json_each(?))`, JSON.stringify(numbers))
    .toArray()
    .filter(
      ({ variables, error, reply, idempotency_key: key, events }) =>
        [error, reply, key].some((text) => text !== null && finder.outOfText(text) !== text) ||
        [variables ?? "", ...(JSON.parse(events) as string[])].some((json) => finder.isIn(json)),
    );
};

/** The Mailer's result would write the row again, and the person may get the mail. */
const isInFlight = ({ state }: Row): boolean => state === "sending";

/** The mail cannot be sent without the erased data. */
const isWaiting = ({ due }: Row): boolean => due !== null;

const eraseOwn = (sql: SqlStorage, row: Row, finder: Finder, now: number): void => {
  if (isWaiting(row)) discard(sql, row, now);
  sql.exec("DELETE FROM send_hits WHERE send = ?", row.n);
  dropKeptValues(sql, row.n);
  // A trigger deletes the history, which the previous version does not know. Here, all but the names comes back.
  sql.exec("UPDATE sends SET recipient = ?, recipient_key = ? WHERE n = ?", ERASED, ERASED, row.n);
  eraseNames(sql, { ...row, idempotency_key: null }, finder);
};

const eraseOther = (sql: SqlStorage, row: Row, finder: Finder, now: number): void => {
  if (isWaiting(row)) discard(sql, row, now);
  if (row.variables !== null && finder.isIn(row.variables)) dropKeptValues(sql, row.n);
  eraseNames(sql, row, finder);
};

const eraseNames = (sql: SqlStorage, row: Row, finder: Finder): void => {
  const out = (text: string | null): string | null => (text === null ? null : finder.outOfText(text));
  sql.exec(
    "UPDATE sends SET error = coalesce(?, error), reply = ?, idempotency_key = ?, history = ? WHERE n = ?",
    out(row.error),
    out(row.reply),
    out(row.idempotency_key),
    row.history === null ? null : finder.outOf(row.history),
    row.n,
  );
  // The previous version wrote events there.
  for (const { at, kind, detail } of eventsOf(sql, row.n))
    if (finder.isIn(detail))
      sql.exec(
        "UPDATE send_events SET detail = ? WHERE send = ? AND at = ? AND kind = ?",
        finder.outOf(detail),
        row.n,
        at,
        kind,
      );
};

/** An earlier attempt may have reached the mail provider, so the mail is not certainly unsent. */
const discard = (sql: SqlStorage, { n }: Row, now: number): void => {
  sql.exec(
    `UPDATE sends SET state = CASE WHEN state = 'unknown' OR ${MAY_HAVE_LEFT} THEN 'unknown' WHEN ${HAS_NO_ANSWER} THEN 'not_sent'
         ELSE 'failed' END,
       due = NULL, variables = NULL, error = coalesce(error, 'erased'), settled_at = ? WHERE n = ?`,
    now,
    n,
  );
};

export const people: AdminHandlers<"people"> = {
  erase: {
    prepare: async ({ sql }, input) => {
      const found = await search(sql, input);
      return (context) => erasePerson(context, input, found);
    },
  },
};
