/** The id of every subscription that a person has at a source, in a rule's `subscription`. */
export const EVERY = "*";

/**
 * The rank of a status, in the words of all providers: the best first, 0 once the subscription has ended. The Outbox
 * stores these numbers, so a new status gets a free number and no number gets another meaning.
 */
const STANDING: Readonly<Record<string, number>> = {
  active: 50,
  non_renewing: 50,
  trialing: 40,
  in_trial: 40,
  on_trial: 40,
  past_due: 30,
  failed: 30,
  paused: 20,
  // Not paid yet, not paid any more, or not begun.
  unpaid: 10,
  incomplete: 10,
  future: 10,
  canceled: 0,
  cancelled: 0,
  expired: 0,
  incomplete_expired: 0,
  transferred: 0,
};

/** The rank of a subscription's status. A status that is not known yet ranks just above the end. */
export const standing = (status: string): number => (Object.hasOwn(STANDING, status) ? (STANDING[status] ?? 0) : 5);
