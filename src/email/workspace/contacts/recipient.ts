import type { LinkTarget, RecipientAction, RecipientView, ShownList } from "../../types/recipient.ts";
import type { Context } from "../core/context.ts";
import { readTeam } from "../team/team.ts";
import { type Changes, changedData } from "./changes.ts";
import { contactOfLink, type StoredContact } from "./contact-rows.ts";
import { membershipRefusal, readMailingLists } from "./lists.ts";
import { isOwnAddress } from "./opt-in.ts";
import { changeContact } from "./upsert.ts";

type Lists = { lists: ShownList[]; list: ShownList | undefined };

/** `lists`: public lists and the link's list. Archived lists, and links to a former address, only allow leaving. */
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

type ContactView = Omit<NonNullable<RecipientView["contact"]>, "reason">;

/** Shows the contact of a link; undefined if deleted. */
export const viewContact = (sql: SqlStorage, target: LinkTarget): ContactView | undefined => {
  const contact = contactOfLink(sql, target);
  if (!contact) return undefined;
  const { subscribed, optInStatus } = contact.data;
  const isOwn = isOwnAddress(contact, target);
  const shown = listsFor(sql, contact, target);
  const canReturn = isOwn && (shown.list === undefined || shown.lists.some(({ id }) => id === target.list));
  return { subscribed, optInStatus, isOwn, canReturn, ...shown };
};

/** Changes a contact as a recipient asks. */
export type ContactAction = Exclude<RecipientAction, { do: "answer" }>;

/** Applies a recipient's action like an API request. Idempotent. */
export const actForRecipient = (
  context: Context,
  target: LinkTarget,
  action: ContactAction,
): "email.unsubscribed" | "email.resubscribed" | undefined => {
  const contact = contactOfLink(context.sql, target);
  if (!contact) return undefined;
  const { lists: offered, list } = listsFor(context.sql, contact, target);
  const { doubleOptIn } = readTeam(context.sql);
  const { standard = {}, lists = {} } = changesOf(action, { contact, target, list, doubleOptIn });
  const allowed = Object.entries(lists).filter(
    ([id, subscribed]) => offered.some((one) => one.id === id) && !membershipRefusal(context.sql, id, subscribed),
  );
  const after = { ...contact, data: changedData(contact.data, { standard, custom: [], lists: allowed }) };
  const [was, is] = [contact, changeContact(context, contact, after)].map((one) => getsMail(one, target));
  return was === is ? undefined : is ? "email.resubscribed" : "email.unsubscribed";
};

const getsMail = ({ data }: StoredContact, { list }: LinkTarget): boolean =>
  data.subscribed && (list === undefined || data.mailingLists[list] === true);

type Asked = { standard?: Changes["standard"]; lists?: Readonly<Record<string, boolean>> };

type Given = { contact: StoredContact; target: LinkTarget; list: ShownList | undefined; doubleOptIn: boolean };

/** A link to a former address only unsubscribes: the present owner did not act. */
const changesOf = (action: ContactAction, { contact, target, list, doubleOptIn }: Given): Asked => {
  const isOwn = isOwnAddress(contact, target);
  switch (action.do) {
    case "leave":
      return list ? { lists: { [list.id]: false } } : { standard: { subscribed: false } };
    case "unsubscribe":
      return { standard: { subscribed: false } };
    case "undo":
    case "resubscribe": {
      if (!isOwn) return {};
      // The link came to this address, so no confirmation is needed.
      const confirms = doubleOptIn || contact.data.optInStatus !== null;
      return {
        standard: { subscribed: true, ...(confirms ? { optInStatus: "accepted" } : {}) },
        ...(action.do === "undo" && list ? { lists: { [list.id]: true } } : {}),
      };
    }
    case "choose":
      return { lists: action.lists };
    case "confirm": {
      if (!isOwn) return {};
      // A yes after a no revokes the whole no.
      return {
        standard: { optInStatus: "accepted", subscribed: true },
        ...(list ? { lists: { [list.id]: true } } : {}),
      };
    }
    case "reject":
      return isOwn ? { standard: { optInStatus: "rejected", subscribed: false } } : {};
  }
};
