/** Refusals among `OF_LAST` mails that hold a campaign. */
export const REFUSED = 20;
/** Window of accepted and doubtful refused mails. */
export const OF_LAST = 50;
/** Rates of fewer mails say little. */
export const MIN_SENDS = 500;
/** Mailbox providers throttle or block senders above these shares. */
export const MAX_BOUNCED = 0.05;
export const MAX_COMPLAINTS = 0.001;
/** The maximum delay of a start in ms; later the content may be wrong. */
export const LATE_MS = 3_600_000;
