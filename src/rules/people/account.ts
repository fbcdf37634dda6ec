import type { Contact, Link } from "../types.ts";

export type Account = {
  userId: string | null | undefined;
  email: string | null | undefined;
  verified: boolean;
};

const own = ({ userId, email, verified }: Account) => (verified && userId && email ? { userId, email } : undefined);

export const isOwn = (account: Account): boolean => own(account) !== undefined;

/** The user id needs a verified address: otherwise an attacker could merge with a victim's contact. */
export const contactOf = (account: Account): Contact => own(account) ?? { email: account.email ?? undefined };

/** The address must be verified: otherwise an attacker could remove a victim's contact. */
export const formerContactOf = (account: Account): Contact => own(account) ?? { userId: account.userId ?? undefined };

/**
 * Links an account. An unverified sign-up address links no person, and only lets the account's deletion find its
 * contact.
 */
export const linksOf = (account: Account, isSignUp = false): readonly Link[] => {
  const link = own(account);
  if (link) return [link];
  const { userId, email } = account;
  return isSignUp && userId && email ? [{ userId, email, strength: "unverified" }] : [];
};
