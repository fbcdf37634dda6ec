import { emailKey } from "../../../lib/util/email-key.ts";
import { addressDigest } from "../../mail/links/address.ts";
import type { LinkTarget } from "../../types/recipient.ts";
import type { ContactData, StoredContact } from "./contact-rows.ts";

export type Subscriber = { email: string | null; data: ContactData };

type OptIn = { optInStatus: ContactData["optInStatus"]; asks: boolean };

/** Returns the opt-in status after a change. An answer belongs to its address, so a new address has none. */
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

export const isOwnAddress = ({ email }: Pick<StoredContact, "email">, { address }: LinkTarget): boolean =>
  email !== null && addressDigest(email) === address;
