import type { LinkTarget, RecipientAction, RecipientView, ShownList } from "../../types/recipient.ts";
import type { Context } from "../core/context.ts";
import { readTeam } from "../team/team.ts";
import { apply, type Changes } from "./changes.ts";
import { membershipRefusal, readMailingLists } from "./lists.ts";
import { isOwnAddress } from "./opt-in.ts";
import { contactOfLink, type StoredContact } from "./row.ts";
import { change } from "./upsert.ts";

type Lists = { lists: ShownList[]; list: ShownList | undefined };

/**
 * `lists`: those that a recipient may choose, which are public lists and the one that the link names. An archived list is for
 * leaving only, and so is every list in a link to a former address. `list`: the one that the link names.
 */
const listsFor = (sql: SqlStorage, contact: StoredContact, target: LinkTarget): Lists => {
  const isOwn = isOwnAddress(contact, target);
  const all = readMailingLists(sql).map(({ id, name, description, isPublic, isArchived }) => {
    const subscribed = contact.data.mailingLists[id] === true;
    const isOffered = (isPublic || id === target.list) && (subscribed || (isOwn && !isArchived));
    return { shown: { id, name, description, subscribed }, isOffered };
  });
  return {
    lists: all.filter(({ isOffered }) => isOffered).map(({ shown }) => shown),
    list: all.find(({ shown }) => shown.id === target.list)?.shown,
  };
};

/** What the page of a link shows. */
export const viewRecipient = (sql: SqlStorage, target: LinkTarget): RecipientView => {
  const { name } = readTeam(sql);
  const contact = contactOfLink(sql, target);
  if (!contact) return { team: name, contact: undefined };
  const { subscribed, optInStatus } = contact.data;
  const isOwn = isOwnAddress(contact, target);
  return { team: name, contact: { subscribed, optInStatus, isOwn, ...listsFor(sql, contact, target) } };
};

/**
 * Does what a recipient asked for. It changes the contact as a request of the API does. Doing it again changes nothing.
 *
 * @returns the event about the mail of the link, where the recipient has left or joined again what it was sent to
 */
export const actForRecipient = (
  context: Context,
  target: LinkTarget,
  action: RecipientAction,
): "email.unsubscribed" | "email.resubscribed" | undefined => {
  const contact = contactOfLink(context.sql, target);
  if (!contact) return undefined;
  const { lists: offered, list } = listsFor(context.sql, contact, target);
  const { doubleOptIn } = readTeam(context.sql);
  const { standard = {}, lists = {} } = changesOf(action, { contact, target, list, doubleOptIn });
  const allowed = Object.entries(lists).filter(
    ([id, subscribed]) => offered.some((one) => one.id === id) && !membershipRefusal(context.sql, id, subscribed),
  );
  const after = { ...contact, data: apply(contact.data, { standard, custom: [], lists: allowed }) };
  const [was, is] = [contact, change(context, contact, after)].map((one) => getsMail(one, target));
  return was === is ? undefined : is ? "email.resubscribed" : "email.unsubscribed";
};

/** True when a contact gets mail such as the one of a link: it is subscribed, and on the list that the link names. */
const getsMail = ({ data }: StoredContact, { list }: LinkTarget): boolean =>
  data.subscribed && (list === undefined || data.mailingLists[list] === true);

type Asked = { standard?: Changes["standard"]; lists?: Readonly<Record<string, boolean>> };

type Given = { contact: StoredContact; target: LinkTarget; list: ShownList | undefined; doubleOptIn: boolean };

/** A link to a former address leaves, and does nothing else: the owner of the present address has not pressed anything. */
const changesOf = (action: RecipientAction, { contact, target, list, doubleOptIn }: Given): Asked => {
  const isOwn = isOwnAddress(contact, target);
  switch (action.do) {
    case "leave":
      return list ? { lists: { [list.id]: false } } : { standard: { subscribed: false } };
    case "unsubscribe":
      return { standard: { subscribed: false } };
    case "resubscribe": {
      if (!isOwn) return {};
      // The link came to this address, so that no further mail has to ask.
      const confirms = doubleOptIn || contact.data.optInStatus !== null;
      return { standard: { subscribed: true, ...(confirms ? { optInStatus: "accepted" } : {}) } };
    }
    case "choose":
      return { lists: action.lists };
    case "confirm": {
      if (!isOwn) return {};
      // A yes after a no takes the whole no back.
      return {
        standard: { optInStatus: "accepted", subscribed: true },
        ...(list ? { lists: { [list.id]: true } } : {}),
      };
    }
    case "reject":
      return isOwn ? { standard: { optInStatus: "rejected", subscribed: false } } : {};
  }
};
