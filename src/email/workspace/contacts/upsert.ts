import type { Refusal } from "../../../lib/contract/errors.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { Context } from "../core/context.ts";
import { readTeam } from "../team/team.ts";
import { type Changes, changedData } from "./changes.ts";
import {
  changeRow,
  contactByEmail,
  contactByUserId,
  defaults,
  insertContacts,
  type StoredContact,
} from "./contact-rows.ts";
import { growthRefusal } from "./contact-size.ts";
import { noteLeftLists } from "./left-lists.ts";
import { merge } from "./merge.ts";
import { optInAfter, type Subscriber } from "./opt-in.ts";
import { reportChanges, reportCreated } from "./report.ts";

export type Identity = { email?: string | null | undefined; userId?: string | null | undefined };

export const identify = (sql: SqlStorage, { email, userId }: Identity) => ({
  byEmail: email == null ? undefined : contactByEmail(sql, email),
  byUserId: userId == null ? undefined : contactByUserId(sql, userId),
});

/**
 * Creates or updates the contact of an email or userId. Two matches merge if one lacks an email and the other a
 * userId;
 * otherwise the request is refused as ambiguous.
 */
export const upsert = (
  context: Context,
  identity: Identity,
  changes: Changes,
): { contact: StoredContact } | { refusal: Refusal } => {
  const { byEmail, byUserId } = identify(context.sql, identity);
  const areTwo = byEmail !== undefined && byUserId !== undefined && byEmail.n !== byUserId.n;
  if (areTwo && (byEmail.userId !== null || byUserId.email !== null)) {
    const message = `The email ${byEmail.email} belongs to contact ${byEmail.id}, the userId ${byUserId.userId} to contact ${byUserId.id}. Send only one of the two, or delete one of the contacts.`;
    return { refusal: { code: "contact_conflict", path: "email", message } };
  }
  const { before, known } = areTwo ? merge(context, byEmail, byUserId) : { before: byUserId ?? byEmail };
  if (!before) {
    const contact = newContact(identity, changes);
    const refusal = growthRefusal(context, undefined, contact);
    return refusal ? { refusal } : { contact: createContact(context, contact) };
  }

  const after = {
    ...before,
    email: emailAfter(before, identity),
    userId: identity.userId ?? before.userId,
    data: changedData(before.data, changes),
  };
  const refusal = growthRefusal(context, before, after);
  return refusal ? { refusal } : { contact: changeContact(context, before, after, known) };
};

/**
 * Writes and reports differences of a contact, including opt-in.
 *
 * @param known contact state known to endpoints, if not `before`
 */
export const changeContact = (
  context: Context,
  before: StoredContact,
  after: StoredContact,
  known = before,
): StoredContact => {
  const { asked, asks } = withOptIn(before, after, () => readTeam(context.sql).doubleOptIn);
  const contact = changeWithoutConfirmation(context, before, asked, known);
  if (asks) context.after.pending.push(contact);
  context.after.writes.push({ before, after: contact });
  return contact;
};

/** As `change`, without asking for confirmation. */
export const changeWithoutConfirmation = (
  clock: Pick<Context, "sql" | "now">,
  before: StoredContact,
  after: StoredContact,
  known = before,
): StoredContact => {
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  const contact = isSame ? before : { ...after, updatedAt: clock.now };
  if (!isSame) {
    changeRow(clock.sql, before, contact);
    noteLeftLists(clock.sql, before, contact);
  }
  reportChanges(clock, known, contact);
  return contact;
};

const withOptIn = <Contact extends Subscriber>(
  before: Subscriber | undefined,
  after: Contact,
  isDoubleOptIn: () => boolean,
): { asked: Contact; asks: boolean } => {
  const { optInStatus, asks } = optInAfter(before, after, isDoubleOptIn);
  return { asked: { ...after, data: { ...after.data, optInStatus } }, asks };
};

/** Another spelling of the same address is no change. */
const emailAfter = ({ email: stored }: StoredContact, { email: given }: Identity): string | null =>
  given == null || (stored !== null && emailKey(stored) === emailKey(given)) ? stored : given;

/** A contact that is created, without ids. `createdAt`: Unix ms, of a contact that another service had before. */
export type NewContact = Pick<StoredContact, "email" | "userId" | "data"> & { createdAt?: number };

export const newContact = ({ email, userId }: Identity, changes: Changes): NewContact => ({
  email: email ?? null,
  userId: userId ?? null,
  data: changedData(defaults, changes),
});

export const createContact = (context: Context, added: NewContact): StoredContact =>
  createContacts(context, [added])[0] as StoredContact;

export const createContacts = (context: Context, added: readonly NewContact[]): StoredContact[] => {
  const { sql, now, id, after } = context;
  if (added.length === 0) return [];
  const { doubleOptIn } = readTeam(sql);
  const all = added.map((one) => withOptIn(undefined, one, () => doubleOptIn));
  const contacts = insertContacts(
    sql,
    all.map(({ asked }) => ({ ...asked, id: id("con"), createdAt: asked.createdAt ?? now, updatedAt: now })),
  );
  after.pending.push(...contacts.filter((_, index) => all[index]?.asks));
  after.writes.push(...contacts.map((contact) => ({ before: undefined, after: contact, signsUp: true })));
  reportCreated(context, contacts);
  return contacts;
};
