import type { Contact, Link } from "../types.ts";

/** A user account as its provider describes it. */
export type Account = {
  userId: string | null | undefined;
  email: string | null | undefined;
  /** True where the provider has verified the email address. */
  verified: boolean;
};

/** Both identifiers of an account with a verified address, else undefined. */
const own = ({ userId, email, verified }: Account) => (verified && userId && email ? { userId, email } : undefined);

/** True where the account has a verified address. */
export const isOwn = (account: Account): boolean => own(account) !== undefined;

/**
 * The contact of an account. The user id is included only when the address is verified: otherwise an attacker could
 * sign up with a victim's address and be merged with the victim's contact.
 */
export const contactOf = (account: Account): Contact => own(account) ?? { email: account.email ?? undefined };

/**
 * The contact of a deleted account. The address is included only when it is verified: otherwise an attacker could sign
 * up with a victim's address, delete the account, and remove the victim's contact.
 */
export const formerContactOf = (account: Account): Contact => own(account) ?? { userId: account.userId ?? undefined };

/**
 * The identity link of an account. Of an address that is not verified there is one from the sign-up alone. It ties no
 * person: it only lets the deletion of the account reach the contact that the sign-up has made. A later address is another
 * matter: anyone could change to a victim's address, delete the account, and unsubscribe the victim's contact.
 *
 * @param isSignUp true for the webhook of a sign-up
 */
export const linksOf = (account: Account, isSignUp = false): readonly Link[] => {
  const link = own(account);
  if (link) return [link];
  const { userId, email } = account;
  return isSignUp && userId && email ? [{ userId, email, strength: "unverified" }] : [];
};
