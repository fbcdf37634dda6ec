/** Id for every subscription of a person at a source. */
export const EVERY = "*";

/** Ranks of statuses; 0 is ended. The Outbox stores them, so a number never changes meaning. */
export const STANDING: Readonly<Record<string, number>> = {
  active: 50,
  non_renewing: 50,
  "pending-cancel": 50,
  trialing: 40,
  in_trial: 40,
  on_trial: 40,
  past_due: 30,
  failed: 30,
  on_hold: 30,
  "on-hold": 30,
  paused: 20,
  suspended: 20,
  // Not paid or not begun.
  unpaid: 10,
  incomplete: 10,
  future: 10,
  created: 10,
  authenticated: 10,
  approval_pending: 10,
  approved: 10,
  canceled: 0,
  cancelled: 0,
  expired: 0,
  completed: 0,
  deactivated: 0,
  incomplete_expired: 0,
  transferred: 0,
  switched: 0,
};

/** Returns a status's rank. An unknown status ranks just above the end. */
export const standing = (status: string): number => (Object.hasOwn(STANDING, status) ? (STANDING[status] ?? 0) : 5);
