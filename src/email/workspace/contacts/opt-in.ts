import { sha256 } from "@noble/hashes/sha2.js";
import { emailKey } from "../../../lib/util/email-key.ts";
import { toBytes, toHex } from "../../../lib/util/hmac.ts";
import type { ContactData, StoredContact } from "./row.ts";

/** The part of a contact that decides whether its owner has to confirm. */
export type Subscriber = { email: string | null; data: ContactData };

const sameAddress = (one: string, two: string): boolean => emailKey(one) === emailKey(two);

/**
 * True when the owner of the address has to confirm, with double opt-in: the contact is new, gets its first address, or is
 * subscribed for the first time. Also when the address changes before its owner has answered.
 */
export const mustConfirm = (before: Subscriber | undefined, after: Subscriber): boolean => {
  if (after.email === null || !after.data.subscribed) return false;
  const known = before?.email ?? null;
  if (after.data.optInStatus === "pending") return known !== null && !sameAddress(known, after.email);
  return after.data.optInStatus === null && (known === null || before?.data.subscribed === false);
};

/** Stands for an address in a link: a link to a former address does not confirm the present one. */
export const addressDigest = (email: string): string => toHex(sha256(toBytes(emailKey(email)))).slice(0, 16);

/** True when a link was sent to the present address of a contact. `address`: digest in the link; older links have none. */
export const isOwnAddress = ({ email }: Pick<StoredContact, "email">, address: string | undefined): boolean =>
  address === undefined || (email !== null && addressDigest(email) === address);
