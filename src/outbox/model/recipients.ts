import { reasons } from "./reasons.ts";

/** Addresses and domains (`@example.com`) in lower case. Empty `allowed`: all. */
export type Recipients = { allowed: readonly string[]; ignored: readonly string[] };

type RecipientsEnv = { ALLOWED_RECIPIENTS?: string | undefined; IGNORED_RECIPIENTS?: string | undefined };

/** Reads both lists. Entries are separated by spaces or commas; one without `@` is a domain. */
export const recipientsOf = ({ ALLOWED_RECIPIENTS, IGNORED_RECIPIENTS }: RecipientsEnv): Recipients => ({
  allowed: entriesOf(ALLOWED_RECIPIENTS),
  ignored: entriesOf(IGNORED_RECIPIENTS),
});

const entriesOf = (text = ""): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((entry) => (entry.includes("@") ? entry : `@${entry}`));

/** True if the address or its domain is in the list. */
const isListed = (list: readonly string[], email: string): boolean => {
  const address = email.toLowerCase();
  return list.includes(address) || list.includes(address.slice(address.lastIndexOf("@")));
};

export const isIgnored = ({ ignored }: Recipients, email: string | undefined): boolean =>
  email !== undefined && isListed(ignored, email);

/** Returns the reason against a delivery to this address. */
export const barredBy = (recipients: Recipients, to: Reach, email: string | undefined): string | undefined => {
  if (isIgnored(recipients, email) && !reachesIgnored(to)) return reasons.ignored;
  const { allowed } = recipients;
  const isAllowed = allowed.length === 0 || (email !== undefined && isListed(allowed, email));
  return isAllowed ? undefined : reasons.notAllowed;
};

type Reach = { action: string; urgent?: boolean; removes?: true };

/** True for a mail that a person has just asked for, and for a removal, which makes no contact. */
const reachesIgnored = ({ action, urgent, removes }: Reach): boolean =>
  action === "delete" || (action === "contact" ? removes === true : urgent === true);
