import type { Contact, Link } from "../types.ts";

/** An account as its provider tells of it. */
export type Account = {
  userId: string | null | undefined;
  email: string | null | undefined;
  /** Whether the provider says that the address was shown to be the person's own. */
  verified: boolean;
};

/** Both identifiers of an account with an address that is the person's own, else undefined. */
const own = ({ userId, email, verified }: Account) => (verified && userId && email ? { userId, email } : undefined);

/** True where the account has an address, and that is the person's own. */
export const isOwn = (account: Account): boolean => own(account) !== undefined;

/**
 * The contact of an account: by user id only once its address is shown to be the person's own. Until then anyone could
 * sign up with somebody else's address, and would be made one with that contact.
 */
export const contactOf = (account: Account): Contact => own(account) ?? { email: account.email ?? undefined };

/**
 * The contact of an account that is gone. By address only where that is the person's own: else whoever signs up with
 * somebody else's address could take that contact away again.
 */
export const formerContactOf = (account: Account): Contact => own(account) ?? { userId: account.userId ?? undefined };

/** What an account ties together: nothing while its address is not the person's own. */
export const linksOf = (account: Account): readonly Link[] => {
  const link = own(account);
  return link ? [link] : [];
};
