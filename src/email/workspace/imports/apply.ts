import { emailKey } from "../../../lib/util/email-key.ts";
import type { Outcome } from "../../imports/outcome.ts";
import { type RowRefusal, type RowValues, readRow } from "../../imports/read-row.ts";
import type { CsvRecord } from "../../imports/records.ts";
import type { Context } from "../base/context.ts";
import { apply, type Changes } from "../contacts/changes.ts";
import { leftLists } from "../contacts/left-lists.ts";
import type { StoredContact } from "../contacts/row.ts";
import { change, create, identify } from "../contacts/upsert.ts";
import { suppressionOf } from "../sending/suppression.ts";
import type { ImportSettings, StoredImport } from "./rows.ts";

/** What becomes of a row. */
export type Result = { outcome: Outcome; column: string; reason: string };

const refused = ({ column, reason }: RowRefusal): Result => ({ outcome: "refused", column, reason });

/** Imports one row. A dry run writes nothing to contacts. */
export const importRow = (
  context: Context,
  one: StoredImport & { settings: ImportSettings },
  { cells, problem }: CsvRecord,
): Result => {
  if (problem !== undefined) return refused({ column: "", reason: `${problem}` });
  const values = readRow(one.settings.columns, one.columns.length, cells);
  if ("reason" in values) return refused(values);
  const found = contactOf(context.sql, values);
  if ("reason" in found) return refused(found);
  const { before } = found;
  if (before) return update(context, one, before, values);
  if (one.dryRun && isSeen(context.sql, one.n, values)) {
    return { outcome: one.settings.updateExisting ? "updated" : "unchanged", column: "", reason: TWICE };
  }
  const changes = changesOf(one.settings, values, undefined, undefined);
  if (!one.dryRun) create(context, values, changes);
  const isSuppressed = values.email !== undefined && suppressionOf(context.sql, emailKey(values.email)) !== undefined;
  return { outcome: "created", column: "", reason: isSuppressed ? SUPPRESSED : "" };
};

const TWICE = "An earlier row of the file has the same contact.";
const SUPPRESSED = "The address is suppressed: no mail is sent to it.";

/** The contact of a row: the one with its user id, else the one with its address. Two contacts never become one. */
const contactOf = (
  sql: SqlStorage,
  { email, userId }: RowValues,
): { before: StoredContact | undefined } | RowRefusal => {
  const { byEmail, byUserId } = identify(sql, { email, userId });
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

const update = (
  context: Context,
  { settings, dryRun }: StoredImport & { settings: ImportSettings },
  before: StoredContact,
  values: RowValues,
): Result => {
  if (!settings.updateExisting) {
    return {
      outcome: "unchanged",
      column: "",
      reason: "The contact exists, and this import does not update contacts.",
    };
  }
  const notes: string[] = [];
  const left = leftLists(context.sql, before.n);
  const after = {
    ...before,
    email: before.email ?? values.email ?? null,
    userId: before.userId ?? values.userId ?? null,
    data: apply(before.data, changesOf(settings, values, { contact: before, left }, notes)),
  };
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  if (!isSame && !dryRun) change(context, before, after);
  return { outcome: isSame ? "unchanged" : "updated", column: "", reason: notes.join(" ") };
};

type Known = { contact: StoredContact; left: ReadonlySet<string> };

/** The changes of a row. A contact that has unsubscribed, or has left a list, stays so; `notes` says it. */
const changesOf = (
  settings: ImportSettings,
  { texts, subscribed, properties, lists }: RowValues,
  known: Known | undefined,
  notes: string[] | undefined,
): Changes => {
  const standard: Changes["standard"] = known ? texts : { source: "Import", ...texts };
  if (subscribed === false || (subscribed === true && known?.contact.data.subscribed !== false)) {
    standard.subscribed = subscribed;
  } else if (subscribed === true) notes?.push("The contact has unsubscribed, and stays so.");
  const named = new Set(lists.map(([id]) => id));
  const asked = [
    ...lists,
    ...settings.mailingLists.filter((id) => !named.has(id)).map((id): [string, boolean] => [id, true]),
  ];
  const stays = (id: string) => known?.left.has(id) === true && !known.contact.data.mailingLists[id];
  const allowed = asked.filter(([id, joins]) => !joins || !stays(id));
  if (allowed.length < asked.length) notes?.push("The contact has left a mailing list, and does not join it again.");
  return { standard, custom: properties, lists: allowed };
};

/** True when an earlier row of a dry run has this new contact. Remembers it otherwise. */
const isSeen = (sql: SqlStorage, n: number, { email, userId }: RowValues): boolean => {
  const identifiers = [
    ...(email === undefined ? [] : [`email ${emailKey(email)}`]),
    ...(userId === undefined ? [] : [`userId ${userId}`]),
  ];
  const written = identifiers.map(
    (identifier) =>
      sql.exec("INSERT OR IGNORE INTO import_seen (import, identifier) VALUES (?, ?)", n, identifier).rowsWritten > 0,
  );
  return written.includes(false);
};
