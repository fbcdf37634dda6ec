import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Outcome } from "../../../lib/imports/outcome.ts";
import { type RowRefusal, type RowValues, readRow } from "../../../lib/imports/read-row.ts";
import type { CsvRecord } from "../../../lib/imports/records.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import { type Changes, changedData } from "../contacts/changes.ts";
import type { StoredContact } from "../contacts/contact-rows.ts";
import { largeContact } from "../contacts/contact-size.ts";
import { leftLists } from "../contacts/left-lists.ts";
import { archivedLists } from "../contacts/lists.ts";
import { newContact } from "../contacts/upsert.ts";
import type { Context } from "../core/context.ts";
import { suppress } from "../sending/suppression.ts";
import type { StartedImport } from "./import-rows.ts";
import { identifiersOf, type People, peopleOf } from "./known-contacts.ts";

export type Result = { outcome: Outcome; column: string; reason: string };

/** `seen`: identifiers of previous rows if nothing may be written. */
export type Rows = Pick<StartedImport, "n" | "dryRun" | "columns" | "settings"> & { seen?: Set<string> };

type Batch = Rows & { archived: ReadonlySet<string> };

const refused = ({ column, reason }: RowRefusal): Result => ({ outcome: "refused", column, reason });

const tooLarge = ({ message }: Refusal): RowRefusal => ({ column: "", reason: message });

/** Imports rows in order. A dry run writes no contacts. */
export const importRows = (context: Context, one: Rows, records: readonly CsvRecord[]): Result[] => {
  const rows = records.map(({ cells, problem }) =>
    problem === undefined
      ? readRow(one.settings.columns, one.columns.length, cells, one.settings)
      : { column: "", reason: problem },
  );
  const batch: Batch = { ...one, archived: archivedLists(context.sql) };
  const people = peopleOf(
    context,
    rows.flatMap((row) => ("reason" in row ? [] : row)),
  );
  const results = rows.map((row) => {
    if ("reason" in row) return refused(row);
    const suppressed = suppressRow(context, batch, people, row);
    return suppressed ?? importRow(context, batch, people, row);
  });
  people.flush();
  return results;
};

/** Suppresses the address of a row. Undefined for a person who has unsubscribed: that suppresses no address. */
const suppressRow = (context: Context, batch: Batch, people: People, values: RowValues): Result | undefined => {
  const { suppressAs } = batch.settings;
  const { email, suppression: given, notes = [] } = values;
  if (!suppressAs || email === undefined) return undefined;
  const reason = given?.reason ?? suppressAs;
  if (reason === "unsubscribed") return undefined;
  const outcome = (of: Outcome, why: string): Result => ({
    outcome: of,
    column: "",
    reason: [why, ...notes].join(" "),
  });
  if (reason === "soft") return outcome("unchanged", "A soft bounce suppresses no address.");
  if (people.isSuppressed(email)) return outcome("unchanged", "The address is suppressed already.");
  const isNew = batch.dryRun
    ? !isSeen(context.sql, batch, { texts: {}, properties: [], lists: [], email })
    : suppress({ sql: context.sql, now: Math.min(given?.at ?? context.now, context.now) }, email, reason);
  return isNew ? outcome("created", `The address is suppressed: ${reason}.`) : outcome("unchanged", TWICE);
};

const importRow = (context: Context, batch: Batch, people: People, values: RowValues): Result => {
  if (batch.settings.allUnsubscribed || batch.settings.suppressAs) values.subscribed = false;
  const found = contactOf(people, values);
  if ("reason" in found) return refused(found);
  const { before } = found;
  const result = before ? update(context, batch, people, before, values) : add(context, batch, people, values);
  return people.isSuppressed(values.email ?? before?.email)
    ? { ...result, reason: `${result.reason} ${SUPPRESSED}`.trim() }
    : result;
};

const TWICE = "An earlier row of the file has the same contact.";
const SUPPRESSED = "The address is suppressed: no mail is sent to it.";

/** Contact by user id, else by address. Imports never merge contacts. */
const contactOf = (people: People, values: RowValues): { before: StoredContact | undefined } | RowRefusal => {
  const { email, userId } = values;
  const { byEmail, byUserId } = people.find(values);
  if (byEmail && byUserId && byEmail.n !== byUserId.n) {
    return { column: "", reason: "The address belongs to one contact, and the user id to another one." };
  }
  const before = byUserId ?? byEmail;
  if (before && email !== undefined && before.email !== null && emailKey(before.email) !== emailKey(email)) {
    return { column: "", reason: "The user id belongs to a contact with another address." };
  }
  if (before && userId !== undefined && before.userId !== null && before.userId !== userId) {
    return { column: "", reason: "The address belongs to a contact with another user id." };
  }
  return { before };
};

const add = ({ sql, now }: Context, batch: Batch, people: People, values: RowValues): Result => {
  const { dryRun, settings, archived } = batch;
  if (dryRun && isSeen(sql, batch, values)) {
    return { outcome: settings.updateExisting ? "updated" : "unchanged", column: "", reason: TWICE };
  }
  const { changes, notes } = changesOf(sql, { settings, archived }, values);
  const contact = newContact(values, changes);
  const large = largeContact(undefined, contact);
  if (large) return refused(tooLarge(large));
  if (!dryRun) people.add({ ...contact, createdAt: Math.min(values.createdAt ?? now, now) });
  return { outcome: "created", column: "", reason: notes.join(" ") };
};

const update = (
  { sql }: Context,
  batch: Batch,
  ...[people, before, values]: [People, StoredContact, RowValues]
): Result => {
  const { settings, dryRun, archived } = batch;
  if (!settings.updateExisting) {
    return {
      outcome: "unchanged",
      column: "",
      reason: "The contact exists, and this import does not update contacts.",
    };
  }
  const { changes, notes } = changesOf(sql, { settings, archived }, values, before);
  const after = {
    ...before,
    email: before.email ?? values.email ?? null,
    userId: before.userId ?? values.userId ?? null,
    data: changedData(before.data, changes),
  };
  const large = largeContact(before, after);
  if (large) return refused(tooLarge(large));
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  if (!isSame && !dryRun) people.change(before, after);
  // A later row may know the contact only by this row's new identifier.
  if (dryRun && (after.email !== before.email || after.userId !== before.userId)) isSeen(sql, batch, values);
  return { outcome: isSame ? "unchanged" : "updated", column: "", reason: notes.join(" ") };
};

/** An unsubscribe or left list stays; `notes` reports it. */
const changesOf = (
  sql: SqlStorage,
  { settings, archived }: Pick<Batch, "settings" | "archived">,
  ...[{ texts, guessed, subscribed, properties, lists, consent, notes: left = [] }, before]: [RowValues, StoredContact?]
): { changes: Changes; notes: string[] } => {
  const notes = [...left];
  const isNamed = before != null && (before.data.firstName !== null || before.data.lastName !== null);
  const standard: Changes["standard"] = {
    ...(before ? {} : { source: "Import" }),
    ...(isNamed ? {} : guessed),
    ...texts,
    ...(consent ? { consent: { ...before?.data.consent, ...consent } } : {}),
  };
  if (subscribed === true && before?.data.subscribed === false) {
    notes.push("The contact has unsubscribed, and stays so.");
  } else if (subscribed !== undefined) standard.subscribed = subscribed;
  const named = new Set(lists.map(([id]) => id));
  const others = settings.mailingLists.filter((id) => !named.has(id));
  const asked = [...lists, ...others.map((id): [string, boolean] => [id, true])];
  const isJoin = ([id, joins]: [string, boolean]) => joins && !before?.data.mailingLists[id];
  const open = asked.filter((one) => !(isJoin(one) && archived.has(one[0])));
  if (open.length < asked.length) notes.push("A mailing list was archived meanwhile, and takes no contact.");
  const leftBefore = before && open.some(isJoin) ? leftLists(sql, before.n) : undefined;
  const allowed = open.filter((one) => !(isJoin(one) && leftBefore?.has(one[0])));
  if (allowed.length < open.length) notes.push("The contact has left a mailing list, and does not join it again.");
  return { changes: { standard, custom: properties, lists: allowed }, notes };
};

const isSeen = (sql: SqlStorage, { n, seen }: Rows, values: RowValues): boolean => {
  if (seen) {
    const identifiers = identifiersOf(values);
    const isKnown = identifiers.some((identifier) => seen.has(identifier));
    for (const identifier of identifiers) seen.add(identifier);
    return isKnown;
  }
  const written = identifiersOf(values).map(
    (identifier) =>
      sql.exec("INSERT OR IGNORE INTO import_seen (import, identifier) VALUES (?, ?)", n, identifier).rowsWritten > 0,
  );
  return written.includes(false);
};
