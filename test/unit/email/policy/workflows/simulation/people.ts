import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";

export type ModelContact = {
  n: number;
  id: string;
  email: string | null;
  userId: string | null;
  subscribed: boolean;
  optIn: string | null;
  lists: string[];
  updatedAt: number;
  plan?: string | undefined;
  seats?: number | undefined;
};

/** Activity of a contact: ids of messages. */
export type ModelActivity = { sent: string[]; opened: string[]; clicked: string[] };

export type MessagesOf = (target: string, id: string) => string[];

export const isUnconfirmed = ({ optIn }: ModelContact): boolean => optIn === "pending" || optIn === "rejected";

export const gateOf = (contact: ModelContact, list: string | null): string | undefined => {
  if (!contact.subscribed) return "unsubscribed";
  if (isUnconfirmed(contact)) return "not_confirmed";
  if (list !== null && !contact.lists.includes(list)) return "left_list";
  return undefined;
};

export const meets = (
  contact: ModelContact,
  filter: AudienceFilter | null,
  activity: ModelActivity,
  messagesOf: MessagesOf,
): boolean => {
  if (filter === null) return true;
  const results = filter.conditions.map((condition) => {
    if (condition.type === "optIn") return contact.optIn === condition.status;
    if (condition.type === "activity") {
      const done = messagesOf(condition.target, condition.id).some((id) => activity[condition.action].includes(id));
      if (!condition.negate || condition.action === "sent") return done !== condition.negate;
      return !done && messagesOf(condition.target, condition.id).some((id) => activity.sent.includes(id));
    }
    const value = condition.key === "plan" ? contact.plan : contact.seats;
    const wanted = condition.value;
    if (condition.operator === "equals") return value === wanted;
    if (condition.operator === "notEquals") return value !== wanted;
    if (condition.operator === "greaterThan") return value !== undefined && Number(value) > Number(wanted);
    return value !== undefined && String(value).toLowerCase().includes(String(wanted).toLowerCase());
  });
  return filter.match === "all" ? !results.includes(false) : results.includes(true);
};

/** Joins two contacts. `kept` has the email, and the newer value of each field wins. */
export const merged = (kept: ModelContact, dropped: ModelContact): ModelContact => {
  const [older, newer] = kept.updatedAt <= dropped.updatedAt ? [kept, dropped] : [dropped, kept];
  return {
    n: kept.n,
    id: kept.id,
    email: kept.email,
    userId: dropped.userId,
    updatedAt: kept.updatedAt,
    subscribed: kept.subscribed && dropped.subscribed,
    optIn: kept.optIn,
    lists: [...new Set([...older.lists, ...newer.lists])],
    plan: newer.plan ?? older.plan,
    seats: newer.seats ?? older.seats,
  };
};
