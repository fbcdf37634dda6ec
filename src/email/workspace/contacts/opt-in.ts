import { emailKey } from "../../../lib/util/email-key.ts";
import { addressDigest } from "../../mail/links/address.ts";
import type { LinkTarget } from "../../types/recipient.ts";
import type { ContactData, StoredContact } from "./row.ts";

/** The part of a contact that decides whether its owner has to confirm. */
export type Subscriber = { email: string | null; data: ContactData };

type OptIn = { optInStatus: ContactData["optInStatus"]; asks: boolean };

/**
 * The status of a contact after a change, and whether the change asks the owner of its address to confirm.
 *
 * An answer belongs to the address that gave it: a new address has given none. With double opt-in it is asked as soon as the
 * contact is subscribed. It is also asked without double opt-in when the former address was asked and has not said yes.
 */
export const optInAfter = (
  before: Subscriber | undefined,
  { email, data: { subscribed, optInStatus } }: Subscriber,
  isDoubleOptIn: () => boolean,
): OptIn => {
  const isNew = email !== null && (before === undefined || !isSameAddress(before.email, email));
  const becomesSubscribed = email !== null && optInStatus === null && before?.data.subscribed === false;
  if (!isNew && !becomesSubscribed) return { optInStatus, asks: false };
  const asks = subscribed && (optInStatus === "pending" || optInStatus === "rejected" || isDoubleOptIn());
  return { optInStatus: asks ? "pending" : null, asks };
};

const isSameAddress = (one: string | null, two: string): boolean => one !== null && emailKey(one) === emailKey(two);

/** True when a link was sent to the present address of a contact. */
export const isOwnAddress = ({ email }: Pick<StoredContact, "email">, { address }: LinkTarget): boolean =>
  email !== null && addressDigest(email) === address;
