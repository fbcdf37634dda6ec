import type { Refusal } from "../../../../lib/contract/errors.ts";
import { cursorAfter } from "../../../../lib/contract/pagination.ts";
import { emailKey } from "../../../../lib/util/email-key.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import {
  type ContactData,
  contactsById,
  contactsByNumber,
  removeContact,
  type StoredContact,
} from "../../contacts/contact-rows.ts";
import { contactsThatLeft } from "../../contacts/left-lists.ts";
import { membershipRefusal } from "../../contacts/lists.ts";
import { reportDeleted } from "../../contacts/report.ts";
import { changeWithoutConfirmation } from "../../contacts/upsert.ts";
import type { Context, Result } from "../../core/context.ts";
import { suppress, suppressedKeys } from "../../sending/suppression.ts";
import { findContacts, searchedTo } from "./search.ts";

export const CHANGED = 200;
export const COUNTED = 2_000;

type Input = AdminInput<"contacts.bulk">;
type Slice = { contacts: StoredContact[]; missing: number; next: string | null; searchedTo: string | null };

type BulkAct = { unchanged(contact: StoredContact): string | undefined; act(contact: StoredContact): void };

/** Changes one slice of contacts in one transaction; a dry run only counts. */
export const changeContacts = (context: Context, input: Input): Result<unknown> => {
  const refusal = listRefusal(context.sql, input);
  if (refusal) return { refusal };
  const slice = sliceOf(context, input);
  if ("refusal" in slice) return slice;
  const { unchanged, act } = ACTS[input.action](context, slice.contacts, input.mailingListId ?? "");
  const reasons = new Map<string, number>(slice.missing > 0 ? [[MISSING, slice.missing]] : []);
  let changed = 0;
  for (const contact of slice.contacts) {
    const reason = unchanged(contact);
    if (reason !== undefined) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      continue;
    }
    changed += 1;
    if (!input.dryRun) act(contact);
  }
  return {
    body: {
      action: input.action,
      dryRun: input.dryRun,
      contacts: slice.contacts.length,
      changed,
      unchanged: [...reasons].map(([reason, count]) => ({ reason, count })),
      next: slice.next,
      searchedTo: slice.searchedTo,
    },
  };
};

const MISSING = "There is no contact with this id.";

const listRefusal = (sql: SqlStorage, { action, mailingListId }: Input): Refusal | undefined => {
  if (mailingListId === undefined) return undefined;
  const refusal = membershipRefusal(sql, mailingListId, action === "addToList");
  if (!refusal) return undefined;
  const code = refusal.code === "unknown_mailing_list" ? "mailing_list_not_found" : refusal.code;
  return { ...refusal, code, path: "mailingListId" };
};

const sliceOf = ({ sql, now }: Context, input: Input): Slice | { refusal: Refusal } => {
  const { ids, dryRun, q, list, segmentId, subscribed, suppressed, filter, cursor } = input;
  if (ids) {
    const wanted = new Set(ids);
    const contacts = contactsById(sql, [...wanted]);
    return { contacts, missing: wanted.size - contacts.length, next: null, searchedTo: null };
  }
  const search = { q, list, segmentId, subscribed, suppressed, filter };
  const found = findContacts({ sql, now }, search, { cursor, most: dryRun ? COUNTED : CHANGED });
  if ("refusal" in found) return found;
  const { last } = found;
  const contacts = contactsByNumber(
    sql,
    found.found.map(({ n }) => n),
  );
  const next = last === undefined ? null : cursorAfter(last);
  return { contacts, missing: 0, next, searchedTo: searchedTo(sql, last) };
};

/** The change starts no workflow and requests no confirmation. */
const changing =
  (context: Context, data: (before: ContactData) => Partial<ContactData>) =>
  (contact: StoredContact): void => {
    changeWithoutConfirmation(context, contact, { ...contact, data: { ...contact.data, ...data(contact.data) } });
  };

const ACTS: Readonly<
  Record<Input["action"], (context: Context, contacts: readonly StoredContact[], list: string) => BulkAct>
> = {
  addToList: (context, contacts, list) => {
    const left = contactsThatLeft(
      context.sql,
      list,
      contacts.map(({ n }) => n),
    );
    return {
      unchanged: ({ n, data }) => {
        if (data.mailingLists[list]) return "It is on the list already.";
        return left.has(n) ? "It has left the list, and only its own request puts it back." : undefined;
      },
      act: changing(context, ({ mailingLists }) => ({ mailingLists: { ...mailingLists, [list]: true } })),
    };
  },
  removeFromList: (context, _, list) => ({
    unchanged: ({ data }) => (data.mailingLists[list] ? undefined : "It is not on the list."),
    act: changing(context, ({ mailingLists: { [list]: _left, ...others } }) => ({ mailingLists: others })),
  }),
  unsubscribe: (context) => ({
    unchanged: ({ data }) => (data.subscribed ? undefined : "It is unsubscribed already."),
    act: changing(context, () => ({ subscribed: false })),
  }),
  suppress: (context, contacts) => {
    const keys = contacts.flatMap(({ email }) => (email === null ? [] : [emailKey(email)]));
    const suppressed = new Set(suppressedKeys(context.sql, keys));
    return {
      unchanged: ({ email }) => {
        if (email === null) return "It has no address.";
        return suppressed.has(emailKey(email)) ? "Its address is suppressed already." : undefined;
      },
      act: ({ email }) => suppress(context, email ?? "", "manual"),
    };
  },
  delete: (context) => ({
    unchanged: () => undefined,
    act: (contact) => {
      removeContact(context, contact);
      reportDeleted(context, contact);
    },
  }),
};
